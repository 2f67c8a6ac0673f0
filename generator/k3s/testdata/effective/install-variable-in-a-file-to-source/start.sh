INSTALL_K3S_EXEC="agent --node-taint a=b:NoSchedule"
