package livetest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// target is what a request is about.
type target struct {
	group, version, resource, namespace, name string
}

// parse reads /api/v1/... and /apis/GROUP/VERSION/..., with or without /namespaces/NAMESPACE.
func parse(path string) target {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	var t target
	if parts[0] == "api" {
		t.version, parts = parts[1], parts[2:]
	} else {
		t.group, t.version, parts = parts[1], parts[2], parts[3:]
	}
	if len(parts) > 2 && parts[0] == "namespaces" {
		t.namespace, parts = parts[1], parts[2:]
	}
	t.resource = parts[0]
	if len(parts) > 1 {
		t.name = parts[1]
	}
	return t
}

func (t target) apiVersion() string {
	if t.group == "" {
		return t.version
	}
	return t.group + "/" + t.version
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	t := parse(r.URL.Path)
	verb := map[string]string{http.MethodGet: "get", http.MethodPatch: "patch"}[r.Method]
	if verb == "get" && t.name == "" {
		verb = "list"
	}
	if verb == "list" && r.URL.Query().Get("watch") == "true" {
		verb = "watch"
	}
	if verb == "patch" && s.BeforePatch != nil {
		s.BeforePatch(t.name)
	}
	s.mu.Lock()
	refused := s.refuse(w, r, t, verb)
	s.mu.Unlock()
	switch {
	case refused:
	case verb == "watch":
		s.watch(w, r, t)
	default:
		s.serveOne(w, r, t, verb)
	}
}

// refuse says whether a request was answered with a refusal. The lock is held.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, t target, verb string) bool {
	switch {
	case s.Token != "" && r.Header.Get("Authorization") != "Bearer "+s.Token:
		status(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
	case s.Busy > 0:
		s.Busy--
		status(w, http.StatusTooManyRequests, "TooManyRequests", "too many requests")
	case s.away > 0:
		s.away--
		status(w, http.StatusServiceUnavailable, "ServiceUnavailable", "apiserver not ready")
	case s.denied[verb+" "+t.resource]:
		status(w, http.StatusForbidden, "Forbidden", fmt.Sprintf(`%s is forbidden: User "tester" cannot %s resource "%s" in API group "%s" at the cluster scope`,
			strings.TrimSuffix(t.resource+` "`+t.name+`"`, ` ""`), verb, t.resource, t.group))
	default:
		return false
	}
	return true
}

func (s *Server) serveOne(w http.ResponseWriter, r *http.Request, t target, verb string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case verb == "list":
		s.list(w, r, t)
	case s.objects[key(t.resource, t.namespace, t.name)] == nil:
		status(w, http.StatusNotFound, "NotFound", fmt.Sprintf("%s %q not found", t.resource, t.name))
	case verb == "patch":
		s.patch(w, r, t)
	default:
		answer(w, http.StatusOK, s.objects[key(t.resource, t.namespace, t.name)].Object)
	}
}

// list serves pages of at most the limit, sorted by namespace and name.
func (s *Server) list(w http.ResponseWriter, r *http.Request, t target) {
	items := []any{}
	for _, id := range slices.Sorted(maps.Keys(s.objects)) {
		if strings.HasPrefix(id, t.resource+"/") {
			items = append(items, s.objects[id].Object)
		}
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	if from > 0 && s.ShortPages > 0 {
		s.ShortPages--
		status(w, http.StatusGone, "Expired", "The provided continue parameter is too old")
		return
	}
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	meta := map[string]any{"resourceVersion": strconv.Itoa(s.version)}
	to := len(items)
	if limit > 0 && from+limit < to {
		to = from + limit
		meta["continue"] = strconv.Itoa(to)
	}
	answer(w, http.StatusOK, map[string]any{"apiVersion": t.apiVersion(), "kind": "List", "metadata": meta, "items": items[from:to]})
}

func (s *Server) patch(w http.ResponseWriter, r *http.Request, t target) {
	body, _ := io.ReadAll(r.Body)
	before := s.objects[key(t.resource, t.namespace, t.name)]
	var asked struct{ Metadata metav1.ObjectMeta }
	if err := json.Unmarshal(body, &asked); err != nil || r.Header.Get("Content-Type") != "application/merge-patch+json" {
		status(w, http.StatusBadRequest, "BadRequest", "this server takes merge patches")
		return
	}
	if version := asked.Metadata.ResourceVersion; version != "" && version != before.GetResourceVersion() {
		status(w, http.StatusConflict, "Conflict", fmt.Sprintf(`Operation cannot be fulfilled on %s "%s": the object has been modified; please apply your changes to the latest version and try again`, t.resource, t.name))
		return
	}
	old, _ := json.Marshal(before.Object)
	merged, err := jsonpatch.MergePatch(old, body)
	after := &unstructured.Unstructured{}
	if err == nil {
		err = json.Unmarshal(merged, &after.Object)
	}
	if err != nil {
		status(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	}
	if s.OnPatch != nil {
		if why := s.OnPatch(t.name); why != "" {
			status(w, http.StatusForbidden, "Forbidden", why)
			return
		}
	}
	if r.URL.Query().Get("dryRun") != "All" {
		s.writes++
		s.put(after)
	}
	answer(w, http.StatusOK, after.Object)
}

func answer(w http.ResponseWriter, code int, object any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(object)
}

func status(w http.ResponseWriter, code int, reason, message string) {
	answer(w, code, failure(code, reason, message))
}

func failure(code int, reason, message string) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": reason, "message": message, "code": code}
}
