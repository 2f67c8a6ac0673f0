# Two commands do everything on a machine that has Go: `make demo` and `make test`.
export GOTOOLCHAIN := local

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
	go build -trimpath -o $(BIN)/berth ./functions/berth

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
	go mod tidy -diff

# The tools have modules of their own, so that what they need does not become what Berth needs.
$(KUSTOMIZE): tools/kustomize/go.mod
	cd tools/kustomize && go build -o $(abspath $@) sigs.k8s.io/kustomize/kustomize/v5

$(LINT): tools/lint/go.mod
	cd tools/lint && go build -o $(abspath $@) github.com/golangci/golangci-lint/v2/cmd/golangci-lint
