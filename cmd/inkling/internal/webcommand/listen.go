package webcommand

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/server"
)

// Limits of connections.
const (
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
	endTime    = 2 * time.Second // for calls under way when the program ends
	maxHeader  = 32 << 10
)

// checkListen refuses to serve other machines without encryption.
func (v *serving) checkListen() error {
	if (v.cert == "") != (v.key == "") {
		return usage("tls-cert", "tls-cert and --tls-key belong together")
	}
	host, port, err := net.SplitHostPort(v.listen)
	if err != nil {
		return usage("listen", "listen must be an address and a port such as 127.0.0.1:8080, got %q", v.listen)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return usage("listen", "the port must be from 0 to 65535, got %q", port)
	}
	if isLoopback(host) || v.cert != "" || v.proxy {
		return nil
	}
	return &door.OptionError{Option: "listen", Msg: v.listen + " can be reached from other machines, and what they send and see would not be encrypted",
		Hint: "give {tls-cert} and {tls-key}, or {behind-proxy} where a proxy encrypts, or listen on 127.0.0.1"}
}

// readCertificate reads the certificate before an address is printed.
func (v *serving) readCertificate() error {
	if v.cert == "" {
		return nil
	}
	c, err := tls.LoadX509KeyPair(v.cert, v.key)
	if err != nil {
		return usage("tls-cert", "%v", err)
	}
	v.certificates = []tls.Certificate{c}
	return nil
}

// isLoopback reports whether only this machine reaches a host.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// names are those under which browsers reach the server.
func (v *serving) names(at net.Addr) (out []string) {
	host, port, _ := net.SplitHostPort(at.String())
	add := func(name string) { out = append(out, net.JoinHostPort(name, port)) }
	if isLoopback(host) {
		add("127.0.0.1")
		add("localhost")
		add("::1")
	} else {
		add(host)
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		add("127.0.0.1")
		add("localhost")
		add("::1")
		if name, err := os.Hostname(); err == nil {
			add(name)
		}
		all, _ := net.InterfaceAddrs()
		for _, a := range all {
			if n, ok := a.(*net.IPNet); ok {
				add(n.IP.String())
			}
		}
	}
	return append(out, v.hosts...)
}

// address is that of the page.
func (v *serving) address(at net.Addr) string {
	scheme := "http"
	if v.cert != "" {
		scheme = "https"
	}
	host, port, _ := net.SplitHostPort(at.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/"
}

// serve answers requests until the context ends.
func (v *serving) serve(ctx context.Context, at net.Listener, page *server.Server) error {
	s := &http.Server{Handler: page, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12, Certificates: v.certificates}}
	ended := make(chan error, 1)
	go func() {
		if v.cert != "" {
			ended <- s.ServeTLS(at, "", "")
		} else {
			ended <- s.Serve(at)
		}
	}()
	select {
	case err := <-ended:
		return &door.OptionError{Option: "listen", Msg: err.Error(), Err: err}
	case <-ctx.Done():
	}
	ending := page.Close() // what is under way, and the streams
	wait, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	if err := s.Shutdown(wait); errors.Is(err, context.DeadlineExceeded) {
		_ = s.Close()
	}
	<-ended
	return ending
}

// openBrowser shows the page in the browser of the desktop, if there is one.
func openBrowser(url string) {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	cmd := exec.Command(name, args...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}

// size reads a number of bytes: 500MB, 1GB, 4096. A GB is a limit that is just not reached.
func size(text string) (int64, error) {
	units := []struct {
		name  string
		bytes int64
	}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"B", 1}, {"", 1}}
	upper := strings.ToUpper(strings.TrimSpace(text))
	for _, u := range units {
		digits, ok := strings.CutSuffix(upper, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 32)
		if err != nil || n < 1 {
			break
		}
		return n*u.bytes - min(1, u.bytes-1), nil
	}
	return 0, usage("max-upload", "max-upload must be a size such as 500MB or 2GB, got %q", text)
}
