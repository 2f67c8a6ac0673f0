package livetest

import (
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// Server is the API server.
type Server struct {
	// URL is the address.
	URL string
	// BeforePatch is called before a patch is looked at, with the object's name: the place for another writer.
	BeforePatch func(name string)
	// Token is what every request has to bear, when it is not empty.
	Token string
	// OnPatch refuses a patch with what it returns, as a webhook does.
	OnPatch func(name string) string
	// Busy lets the next requests be refused because there are too many.
	Busy int
	// ShortPages is how many times the server forgets what the next page was of.
	ShortPages int

	http    *httptest.Server
	https   *httptest.Server // nil until it is asked for
	mu      sync.Mutex
	objects map[string]*unstructured.Unstructured // by resource/namespace/name
	version int
	denied  map[string]bool // verb and resource
	away    int             // how many requests are refused as if the server had just started
	writes  int
	events  []event
	oldest  int           // versions before it are forgotten
	news    chan struct{} // closed when there is something for the watches
	cut     int           // how often the watches were cut
	watches int
}

// New starts a server with the objects of YAML documents. Close ends it.
func New(documents string) (*Server, error) {
	s := &Server{objects: map[string]*unstructured.Unstructured{}, denied: map[string]bool{}, version: 1000, news: make(chan struct{})}
	for _, document := range strings.Split("\n"+documents, "\n---") {
		if strings.TrimSpace(document) == "" {
			continue
		}
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			return nil, fmt.Errorf("reading an object: %w", err)
		}
		s.Put(object)
	}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.http.URL
	return s, nil
}

// Close ends the server.
func (s *Server) Close() {
	s.http.CloseClientConnections() // watches have no end of their own
	s.http.Close()
	if s.https != nil {
		s.https.Close()
	}
}

// Kubeconfig writes a kubeconfig for the server into a folder and returns its name.
func (s *Server) Kubeconfig(dir string) (string, error) {
	return writeKubeconfig(dir, fmt.Sprintf("server: %q", s.URL), "")
}

// SecureKubeconfig writes a kubeconfig whose user has the given fields. It names an address with TLS: client-go sends no
// credentials without.
func (s *Server) SecureKubeconfig(dir, user string) (string, error) {
	if s.https == nil {
		s.https = httptest.NewTLSServer(http.HandlerFunc(s.serve))
	}
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.https.Certificate().Raw})
	return writeKubeconfig(dir, fmt.Sprintf("server: %q, certificate-authority-data: %s", s.https.URL, base64.StdEncoding.EncodeToString(authority)), user)
}

func writeKubeconfig(dir, cluster, user string) (string, error) {
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {%s}}]
users: [{name: test, user: {%s}}]
contexts: [{name: test, context: {cluster: test, user: test}}]
current-context: test
`, cluster, user)
	file := filepath.Join(dir, "kubeconfig")
	return file, os.WriteFile(file, []byte(text), 0o600)
}

// Put adds or replaces an object, as another client would.
func (s *Server) Put(object *unstructured.Unstructured) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(object)
}

func (s *Server) put(object *unstructured.Unstructured) {
	s.version++
	object.SetResourceVersion(strconv.Itoa(s.version))
	resource, kind := resourceOf(object.GetKind()), "MODIFIED"
	id := key(resource, object.GetNamespace(), object.GetName())
	if s.objects[id] == nil {
		kind = "ADDED"
	}
	s.objects[id] = object
	s.note(kind, resource, object.Object)
}

// Node returns a copy of a node, or nil.
func (s *Server) Node(name string) *unstructured.Unstructured {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objects[key("nodes", "", name)].DeepCopy()
}

// Deny takes a right away.
func (s *Server) Deny(verb, resource string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.denied[verb+" "+resource] = true
}

// Allow gives a right back.
func (s *Server) Allow(verb, resource string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.denied, verb+" "+resource)
}

// GoAway lets the next requests fail, as those to a server that restarts.
func (s *Server) GoAway(requests int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = requests
}

// Writes counts the patches that changed something.
func (s *Server) Writes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes
}

func key(resource, namespace, name string) string { return resource + "/" + namespace + "/" + name }

// resourceOf is the plural that the kinds of this test have.
func resourceOf(kind string) string { return strings.ToLower(kind) + "s" }
