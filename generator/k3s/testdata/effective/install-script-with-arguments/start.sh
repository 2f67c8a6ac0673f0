curl -sfL https://get.k3s.io | sh -s - agent --node-taint a=b:NoSchedule --node-taint=c=d:NoExecute
