# shellcheck shell=bash source=/dev/null
# SPDX-License-Identifier: Apache-2.0
# Prints how bash would complete the last word of a command line.
# usage: complete.sh COMPLETION WORD...
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
"_${1/-/_}"
printf '%s\n' "${COMPREPLY[@]}"
