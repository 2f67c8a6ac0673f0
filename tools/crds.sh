#!/bin/sh
# Takes the CustomResourceDefinitions that the e2e tests need out of the Go modules that carry them, into DIR/flux and
# DIR/gateway-api. The version of the Gateway API is the tag that clusters/base/gateway-api.yaml names.
#
#   sh tools/crds.sh DIR
set -eu
out=$1
rm -rf "$out" "$out.new"

# take SUBFOLDER MODULE@VERSION FOLDER: the folder of the module. Run outside of any module, so that none is changed.
take() {
  dir=$(cd / && go mod download -json "$2" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
  mkdir -p "$out.new/$1"
  cp "$dir/$3"/*.yaml "$out.new/$1/"
}

take flux github.com/fluxcd/kustomize-controller@v1.9.6 config/crd/bases
take flux github.com/fluxcd/source-controller@v1.9.6 config/crd/bases
take gateway-api sigs.k8s.io/gateway-api@v1.3.0 config/crd/standard
chmod -R u+w "$out.new"
mv "$out.new" "$out"
