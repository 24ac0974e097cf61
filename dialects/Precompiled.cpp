// SPDX-License-Identifier: Apache-2.0
//===- Precompiled.cpp - carrier of the precompiled header ----------------===//
//
// Empty on purpose: CMake hangs the shared precompiled header on this file.
//
//===----------------------------------------------------------------------===//
