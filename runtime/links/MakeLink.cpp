// SPDX-License-Identifier: Apache-2.0
//===- MakeLink.cpp - a link to another process ---------------------------===//

#include "runtime/links/MakeLink.h"
#include "runtime/links/Direct.h"
#include "runtime/links/Grpc.h"

using namespace ps::runtime;

std::unique_ptr<Link> ps::runtime::makeLink(LinkOptions options) {
  std::unique_ptr<Link> grpcLink = makeGrpcLink(
      options.endpoint, options.callTimeout, options.barrierTimeout,
      options.security, options.pushesWait);
  return makeDirectLink(std::move(grpcLink), std::move(options));
}
