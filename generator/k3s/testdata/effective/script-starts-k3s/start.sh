#!/bin/bash
set -euo pipefail
IP="$(hostname -I)"
TAINT=c=d:NoSchedule
ARGS=(--node-taint e=f:NoSchedule)
ARGS+=(--node-taint "$IP")
exec /usr/local/bin/k3s agent \
  --node-ip="$IP" \
  --node-taint "$TAINT" \
  "${ARGS[@]}"
