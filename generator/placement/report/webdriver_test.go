package report_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// browser is a headless Chromium, spoken to by WebDriver (w3.org/TR/webdriver2) on the loopback.
type browser struct {
	t       *testing.T
	base    string
	session string
}

// newBrowser starts chromedriver and Chromium, and skips the test where they are not installed.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	driver, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Skip("SKIPPED: no chromedriver; on Debian it comes with apt-get install chromium chromium-driver")
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, driver, fmt.Sprintf("--port=%d", port))
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	b := &browser{t: t, base: fmt.Sprintf("http://127.0.0.1:%d", port)}
	t.Cleanup(func() {
		b.call(http.MethodDelete, "", nil)
		cancel()
		_ = cmd.Wait() // it was killed
	})
	b.start()
	return b
}

func (b *browser) start() {
	b.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		response, err := http.Get(b.base + "/status")
		if err == nil {
			_ = response.Body.Close()
			break
		}
		if time.Now().After(deadline) {
			b.t.Fatal("chromedriver does not answer: ", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	options := map[string]any{"args": []string{"--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"}}
	var answer struct {
		SessionID string `json:"sessionId"`
	}
	b.decode(b.send(http.MethodPost, "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{"goog:chromeOptions": options}}}), &answer)
	b.session = answer.SessionID
}

// call sends a command of the session and returns its value.
func (b *browser) call(method, path string, body any) json.RawMessage {
	b.t.Helper()
	return b.send(method, "/session/"+b.session+path, body)
}

func (b *browser) send(method, path string, body any) json.RawMessage {
	b.t.Helper()
	var in io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			b.t.Fatal(err)
		}
		in = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(context.Background(), method, b.base+path, in)
	if err != nil {
		b.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Value json.RawMessage `json:"value"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		b.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		b.t.Fatalf("%s %s: %s", method, path, answer.Value)
	}
	return answer.Value
}

func (b *browser) decode(value json.RawMessage, into any) {
	b.t.Helper()
	if err := json.Unmarshal(value, into); err != nil {
		b.t.Fatalf("%v: %s", err, value)
	}
}

// run evaluates JavaScript and returns what it returns, as text.
func (b *browser) run(script string) string {
	b.t.Helper()
	var out any
	b.decode(b.call(http.MethodPost, "/execute/sync", map[string]any{"script": script, "args": []any{}}), &out)
	return fmt.Sprint(out)
}

// press types keys where the focus is. Names such as Enter stand for keys.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	codes := strings.NewReplacer("Enter", "\ue007", "Escape", "\ue00c", "Tab", "\ue004", "Left", "\ue012", "Up", "\ue013", "Right", "\ue014", "Down", "\ue015")
	var actions []map[string]any
	for _, key := range keys {
		for _, r := range codes.Replace(key) {
			actions = append(actions, map[string]any{"type": "keyDown", "value": string(r)}, map[string]any{"type": "keyUp", "value": string(r)})
		}
	}
	b.call(http.MethodPost, "/actions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": actions}}})
}

// scheme makes the page believe that the reader wants light or dark.
func (b *browser) scheme(name string) {
	b.t.Helper()
	features := []map[string]string{{"name": "prefers-color-scheme", "value": name}}
	b.call(http.MethodPost, "/goog/cdp/execute", map[string]any{"cmd": "Emulation.setEmulatedMedia", "params": map[string]any{"features": features}})
}

func (b *browser) screenshot() image.Image {
	b.t.Helper()
	var text string
	b.decode(b.call(http.MethodGet, "/screenshot", nil), &text)
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		b.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	return picture
}
