export K3S_URL=https://kai-server:6443 K3S_CONFIG_FILE=/etc/rancher/k3s/config.yaml
curl -sfL https://get.k3s.io | bash -s -- --node-taint a=b:NoSchedule
