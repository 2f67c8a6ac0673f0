INSTALL_K3S_EXEC="server --node-taint a=b:NoSchedule" ./install.sh
ssh node-2 "curl -sfL https://get.k3s.io | K3S_URL=https://a:6443 sh -s - --node-taint c=d:NoSchedule"
