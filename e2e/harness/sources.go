package harness

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

var (
	gitRepositories  = schema.GroupVersionResource{Group: "source.toolkit.fluxcd.io", Version: "v1", Resource: "gitrepositories"}
	helmRepositories = schema.GroupVersionResource{Group: "source.toolkit.fluxcd.io", Version: "v1", Resource: "helmrepositories"}
)

// Sources stands in for source-controller: it serves artifacts on loopback, and writes the status of the GitRepositories that something
// was published for. HelmRepositories are ready as they come.
type Sources struct {
	client dynamic.Interface
	url    string

	telling sync.Mutex // while statuses are written: Publish does it, and the loop

	mu        sync.Mutex
	published int
	archives  map[string][]byte         // by the path in the URL
	artifacts map[string]map[string]any // what a GitRepository's status says, by namespace/name
}

// newSources starts the server and the loop that writes the statuses. Both end with the test.
func newSources(t *testing.T, client dynamic.Interface) *Sources {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Sources{client: client, url: "http://" + listener.Addr().String(), archives: map[string][]byte{}, artifacts: map[string]map[string]any{}}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	Background(t, s.tell)
	return s
}

// ServeHTTP serves an archive.
func (s *Sources) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	archive, ok := s.archives[r.URL.Path]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(archive)
}

// Publish makes the files the newest revision of a GitRepository, named namespace/name, which may be applied later. It returns the
// revision, which no other call returns, even for the same files.
func (s *Sources) Publish(t *testing.T, repository string, files Files) string {
	t.Helper()
	archive, err := files.archive()
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	s.published++
	path := fmt.Sprintf("/%s/%d.tar.gz", repository, s.published)
	revision := fmt.Sprintf("main@sha1:%040x", s.published)
	s.archives[path] = archive
	s.artifacts[repository] = map[string]any{
		"url": s.url + path, "path": strings.TrimPrefix(path, "/"), "revision": revision, "size": int64(len(archive)),
		"digest": fmt.Sprintf("sha256:%x", sha256.Sum256(archive)), "lastUpdateTime": time.Now().UTC().Format(time.RFC3339),
	}
	s.mu.Unlock()
	if err := s.tell(t.Context()); err != nil {
		t.Logf("the statuses follow: %v", err)
	}
	return revision
}

// tell writes each status that is not yet what it should be.
func (s *Sources) tell(ctx context.Context) error {
	s.telling.Lock()
	defer s.telling.Unlock()
	for _, resource := range []schema.GroupVersionResource{gitRepositories, helmRepositories} {
		list, err := s.client.Resource(resource).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range list.Items {
			o := &list.Items[i]
			s.mu.Lock()
			artifact := s.artifacts[o.GetNamespace()+"/"+o.GetName()]
			s.mu.Unlock()
			if artifact == nil && resource == gitRepositories || told(o, artifact) {
				continue
			}
			SetReady(o, "Succeeded")
			if artifact != nil {
				o.Object["status"].(map[string]any)["artifact"] = artifact
			}
			if _, err := s.client.Resource(resource).Namespace(o.GetNamespace()).UpdateStatus(ctx, o, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
	}
	return nil
}

func told(o *unstructured.Unstructured, artifact map[string]any) bool {
	url, _, _ := unstructured.NestedString(o.Object, "status", "artifact", "url")
	return IsReady(o) && (artifact == nil || url == artifact["url"])
}
