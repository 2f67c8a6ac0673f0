#!/bin/sh
# Runs the main job on this example and shows what came out. It needs berth and kustomize on the PATH and writes nothing
# here.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
if [ -n "${NO_COLOR-}" ] || ! [ -t 1 ]; then
  say() { printf '\n%s\n' "$*"; }
fi

say '1. The intent as a kustomize function: what it changes in the render'
echo '$ kustomize build --enable-alpha-plugins --enable-exec .'
kustomize build base >"$out/before.yaml"
kustomize build --enable-alpha-plugins --enable-exec . >"$out/after.yaml"
# The ConfigMaps that the function adds are shown below, as the files that they hold.
awk 'BEGIN { RS = "\n---\n"; ORS = "\n---\n" } !/berth.dev\/intent/' "$out/after.yaml" >"$out/edited.yaml"
diff -U3 "$out/before.yaml" "$out/edited.yaml" | sed -e "1,2d" -e "/^[+ ]---$/d" || true

say '2. The same without a plugin: files for Flux, Ansible and people'
echo '$ berth generate taints.yaml --from base -o generated'
berth generate taints.yaml --from base -o "$out/generated" 2>"$out/findings" | sed "s|$out/||"
echo
cat "$out/findings"

say '3. A drop-in, and the taints with which its node would register'
cat "$out/generated/k3s/kai-desktop-tower-wsl/config.yaml.d/90-berth-taints.yaml"
echo '$ berth k3s effective --root generated'
(cd "$out" && berth k3s effective --root generated)
