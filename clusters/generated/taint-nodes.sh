#!/bin/sh
# Written by berth: taints and labels for the nodes that exist already.
#   intent: home
# Do not edit. Change the intent and run `berth generate` again.
#
# k3s applies node-taint and node-label only when a node registers; this is for nodes that have registered.
# It may be run again at any time. It adds or corrects the taints and labels listed here and touches no other;
# one that the intent no longer lists is not removed. KUBECTL names another kubectl, such as
# KUBECTL='k3s kubectl'.
set -u
failed=

taint() {
  ${KUBECTL:-kubectl} taint nodes "$1" "$2" --overwrite && return
  case "$failed " in
    *" $1 "*) ;;
    *) failed="$failed $1" ;;
  esac
}

taint desktop-tower-wsl 'berth.dev/wsl=flaky:NoSchedule'

if [ -n "$failed" ]; then
  echo "not tainted:$failed" >&2
  exit 1
fi
