# Two commands do everything on a machine that has Go: `make demo` and `make test`.
export GOTOOLCHAIN := local

# One set of compiled packages for everything: the static binaries, their tests, the lint and the end-to-end tests.
export CGO_ENABLED := 0
export GOFLAGS     := $(GOFLAGS) -trimpath

BIN       := bin
KUSTOMIZE := $(BIN)/kustomize
LINT      := $(BIN)/golangci-lint

.DEFAULT_GOAL := help

## help: list the targets
.PHONY: help
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST) | sort | awk -F': ' '{printf "  %-10s %s\n", $$1, $$2}'

## build: build bin/berth
.PHONY: build
build:
	go build -ldflags "-s -w" -o $(BIN)/berth ./functions/berth

## demo: run the main job on examples/default-deny and show what came out
.PHONY: demo
demo: build $(KUSTOMIZE)
	@PATH=$(abspath $(BIN)):$$PATH examples/default-deny/demo.sh

## test: run every test (builds the real kustomize; uses the real kpt where there is one)
.PHONY: test
test: $(KUSTOMIZE)
	BERTH_KUSTOMIZE=$(abspath $(KUSTOMIZE)) go test $(TESTFLAGS) ./...

## bench: measure the function against an identity function, as ratios in one run
.PHONY: bench
bench:
	go run ./bench/function

## lint: run the linter, go vet and gofmt, and check that go.mod is tidy
.PHONY: lint
lint: $(LINT)
	$(LINT) run ./...
	cd e2e && $(abspath $(LINT)) run --config ../.golangci.yml ./...
	cd e2e/scheduler && $(abspath $(LINT)) run --config ../../.golangci.yml ./...
	go mod tidy -diff

# The tools have modules of their own, so that what they need does not become what Berth needs.
$(KUSTOMIZE): tools/kustomize/go.mod
	cd tools/kustomize && go build -o $(abspath $@) sigs.k8s.io/kustomize/kustomize/v5

$(LINT): tools/lint/go.mod
	cd tools/lint && go build -o $(abspath $@) github.com/golangci/golangci-lint/v2/cmd/golangci-lint

# --- images ------------------------------------------------------------------------------------------------------------------
BERTH_VERSION ?= v0.1.0
IMAGE  := go run ./tools/image -version $(BERTH_VERSION)
# Only the device plugin's digest stands in this repository: berth's own is another one with every change of the source.
PINNED := clusters,docs,examples,testdata berth-device-plugin

## image: build the images of berth and the device plugin for all platforms into dist/, an OCI layout each
.PHONY: image
image:
	$(IMAGE)

## image-verify: build the images again, elsewhere and from nothing, and compare
.PHONY: image-verify
image-verify:
	$(IMAGE) -verify

## image-pinned: build the device plugin's image and check that it is the one that clusters/, examples/, docs/ and testdata/ pin
.PHONY: image-pinned
image-pinned:
	$(IMAGE) -pinned $(PINNED)

## image-pin: build the device plugin's image and write its digest where it is pinned: after a change of its source
.PHONY: image-pin
image-pin:
	$(IMAGE) -pin $(PINNED)

# --- the device plugin -------------------------------------------------------------------------------------------------------
# The kubelet and its peers are built from their modules, with the tags that a release has; containerd and runc come from the
# distribution's packages, unpacked and not installed. Without those, what needs containers is skipped, and the tests say so.
E2E          := $(BIN)/e2e
KUBE_VERSION := v1.36.3
KUBE_LDFLAGS := -s -w $(foreach p,k8s.io/component-base/version k8s.io/client-go/pkg/version,-X $(p).gitVersion=$(KUBE_VERSION) -X $(p).gitMajor=1 -X $(p).gitMinor=36)
PLUGIN_BUILD := go build -tags grpcnotrace -ldflags '-s -w -X main.version=$(BERTH_VERSION)'

## device-plugin: build bin/berth-device-plugin
.PHONY: device-plugin
device-plugin:
	$(PLUGIN_BUILD) -o $(BIN)/berth-device-plugin ./deviceplugin

## bench-deviceplugin: measure the device plugin beside a program that only serves and registers
.PHONY: bench-deviceplugin
bench-deviceplugin:
	go run ./deviceplugin/bench

## e2e: run the tests against a real control plane and kubelet (the first run builds them: a quarter of an hour)
.PHONY: e2e
e2e: $(E2E)/etcd $(E2E)/kube-apiserver $(E2E)/kubelet $(E2E)/kube-controller-manager $(E2E)/kube-scheduler $(E2E)/debian $(E2E)/kustomize-controller $(E2E)/crds
	$(PLUGIN_BUILD) -o $(E2E)/berth-device-plugin ./deviceplugin
	go build -o $(E2E)/berth ./functions/berth
	$(IMAGE) -platforms linux/$$(go env GOARCH) -out $(E2E)/images
	cd e2e && go build -ldflags '-s -w' -o $(abspath $(E2E))/probe ./probe
	cd e2e && BERTH_E2E_BIN=$(abspath $(E2E)) go test -count=1 -p 1 -timeout 20m -v ./...
	cd e2e/scheduler && go test -count=1 -timeout 10m -v ./...

$(E2E)/kubelet $(E2E)/kube-apiserver $(E2E)/kube-controller-manager $(E2E)/kube-scheduler: tools/kubernetes/go.mod
	cd tools/kubernetes && go build -ldflags '$(KUBE_LDFLAGS)' -o $(abspath $@) k8s.io/kubernetes/cmd/$(@F)

$(E2E)/etcd: tools/etcd/go.mod
	cd tools/etcd && go build -ldflags '-s -w' -o $(abspath $@) go.etcd.io/etcd/server/v3

$(E2E)/kustomize-controller: tools/kustomize-controller/go.mod
	cd tools/kustomize-controller && go build -ldflags '-s -w' -o $(abspath $@) github.com/fluxcd/kustomize-controller

$(E2E)/crds: tools/crds.sh
	sh tools/crds.sh $@

$(E2E)/debian: e2e/containerd.sh
	sh e2e/containerd.sh $@
# --- end of the device plugin ------------------------------------------------------------------------------------------------
