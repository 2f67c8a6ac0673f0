#!/bin/sh
curl -sfL https://get.k3s.io |
  INSTALL_K3S_EXEC="agent --node-taint a=b:NoSchedule
    --node-taint 'c=d:NoExecute'" \
  K3S_URL=https://kai-server:6443 \
  sh -s - --node-taint e=f:NoSchedule
