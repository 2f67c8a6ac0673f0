#!/bin/sh
k3s kubectl get nodes
echo done
