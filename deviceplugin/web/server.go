package web

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	patience   = 5 * time.Second // for one connection
	maxRequest = 64 << 10
	maxOpen    = 32
	afterError = 100 * time.Millisecond
)

// Page gives a status, a content type and a body.
type Page func() (status int, contentType string, body []byte)

// Serve answers requests for pages, by path, until ctx ends or the listener fails. It closes the listener.
func Serve(ctx context.Context, listener net.Listener, pages map[string]Page) error {
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	defer listener.Close() //nolint:errcheck // it is over
	var open sync.WaitGroup
	defer open.Wait()
	slots := make(chan struct{}, maxOpen)
	for {
		conn, err := listener.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if temporary(err) {
			time.Sleep(afterError)
			continue
		}
		if err != nil {
			return err
		}
		slots <- struct{}{}
		open.Go(func() {
			answer(conn, pages)
			<-slots
		})
	}
}

// temporary reports whether Accept is worth another try: there may be too many open files for a moment.
func temporary(err error) bool {
	t, ok := err.(interface{ Temporary() bool })
	return ok && t.Temporary()
}

func answer(conn net.Conn, pages map[string]Page) {
	defer conn.Close() //nolint:errcheck // nothing to do about it
	_ = conn.SetDeadline(time.Now().Add(patience))
	request, err := http.ReadRequest(bufio.NewReader(io.LimitReader(conn, maxRequest)))
	if err != nil {
		return // not HTTP, or nothing at all
	}
	status, contentType, body := find(request, pages)
	response := http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Request: request, Close: true,
		Header: http.Header{"Content-Type": {contentType}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
	_ = response.Write(conn)
}

func find(request *http.Request, pages map[string]Page) (status int, contentType string, body []byte) {
	const text = "text/plain; charset=utf-8"
	page := pages[request.URL.Path]
	switch {
	case page == nil:
		return http.StatusNotFound, text, []byte("not found\n")
	case request.Method != http.MethodGet && request.Method != http.MethodHead:
		return http.StatusMethodNotAllowed, text, []byte("use GET\n")
	}
	return page()
}
