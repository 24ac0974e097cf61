#!/bin/sh
# Interesting: it can be differentiated, and has a maximum.
! ps-opt "$1" --ps-differentiate 2>/dev/null | grep -q stablehlo.maximum
