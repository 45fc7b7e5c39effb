package webcommand

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/door"
)

// execute runs the command with arguments until ctx ends.
func execute(ctx context.Context, stdout io.Writer, args ...string) error {
	json := false
	c := New(Program{Say: func(string, ...any) {}, PrintJSON: func(any) error { return nil }, Args: cobra.MaximumNArgs(1), Stdout: stdout, JSON: &json,
		Input: func(cmd *cobra.Command, _ *door.Options) (*door.Source, func() error) {
			cmd.Flags().String("missing", "", "")
			cmd.Flags().String("scale", "", "")
			return &door.Source{}, func() error { return nil }
		},
		Serving: func() {}, Terminal: func() bool { return false }})
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	return c.ExecuteContext(ctx)
}

func TestListenBeyondThisMachine(t *testing.T) {
	var stdout bytes.Buffer
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "example.com:0", "localhost.:0", "localhost.example.com:0", "192.0.2.1:0", "[2001:db8::1]:0", "0:0", "127.1:0", "0.0.0.0:8080", "[::ffff:192.0.2.1]:0"} {
		err := execute(context.Background(), &stdout, "example:iris.csv", "--no-open", "--listen", address)
		var option *door.OptionError
		if !errors.As(err, &option) || option.Option != "listen" || !strings.Contains(option.Msg, "other machines") || !strings.Contains(string(option.Hint), "{tls-cert}") || !strings.Contains(string(option.Hint), "{behind-proxy}") {
			t.Errorf("--listen %s: %v", address, err)
		}
	}
	for _, args := range [][]string{{"--listen", "127.0.0.1"}, {"--listen", ""}, {"--listen", "127.0.0.1:65536"}, {"--listen", "127.0.0.1:-1"}, {"--listen", "127.0.0.1:http"}, {"--listen", "http://127.0.0.1:0"},
		{"--tls-cert", "cert.pem"}, {"--tls-key", "key.pem"}, {"--listen", "0.0.0.0:0", "--tls-cert", "cert.pem"},
		{"--tls-cert", filepath.Join(t.TempDir(), "none.pem"), "--tls-key", filepath.Join(t.TempDir(), "none.key")},
		{"--max-upload", "0"}, {"--max-upload", "-1GB"}, {"--max-upload", "much"}, {"--max-upload", "1e9"}, {"--max-upload", "99999999999GB"}} {
		var option *door.OptionError
		if err := execute(context.Background(), &stdout, append(args, "example:iris.csv", "--no-open")...); !errors.As(err, &option) {
			t.Errorf("%q: %v", args, err)
		}
	}
	if stdout.Len() > 0 {
		t.Errorf("an address is printed where nothing is served: %q", &stdout)
	}
}

// firstLine passes on what is written.
type firstLine chan string

func (f firstLine) Write(b []byte) (int, error) { f <- string(b); return len(b), nil }

// TestServesOnlyItsNames runs the command and asks it under other names.
func TestServesOnlyItsNames(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	lines, ended := make(firstLine, 1), make(chan error, 1)
	go func() { ended <- execute(ctx, lines, "example:iris.csv", "--no-open", "--listen", "127.0.0.1:0") }()
	var url string
	select {
	case url = <-lines:
	case err := <-ended:
		t.Fatal(err)
	}
	base, token, ok := strings.Cut(strings.TrimSpace(url), "?token=")
	if !ok || len(token) < 22 || !strings.HasPrefix(base, "http://127.0.0.1:") {
		t.Fatalf("the address is %q", url)
	}
	port := strings.TrimSuffix(base[strings.LastIndex(base, ":")+1:], "/")
	for host, want := range map[string]int{"127.0.0.1:" + port: 200, "localhost:" + port: 200, "[::1]:" + port: 200, "evil.example:" + port: 421, "127.0.0.1": 421, "localhost.:" + port: 421, "127.0.0.1:1": 421} {
		r, err := http.NewRequest("GET", base+"api/state", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		r.Header.Set("Authorization", "Bearer "+token)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if a.StatusCode != want {
			t.Errorf("host %s: %d, not %d", host, a.StatusCode, want)
		}
	}
	stop()
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("at the end: %v", err)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"1GB": 1<<30 - 1, "500MB": 500<<20 - 1, "4096": 4096, "4096B": 4096, " 2 kb ": 2<<10 - 1} {
		if got, err := size(text); err != nil || got != want {
			t.Errorf("%q: %d, %v, not %d", text, got, err, want)
		}
	}
}

func TestNamesOfAllAddresses(t *testing.T) {
	v := &serving{hosts: []string{"inkling.example"}}
	got := v.names(address("0.0.0.0:8080"))
	for _, want := range []string{"127.0.0.1:8080", "localhost:8080", "inkling.example"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
	if got := v.names(address("192.0.2.7:8080")); slices.Contains(got, "127.0.0.1:8080") || slices.Contains(got, "") {
		t.Errorf("the names of one address are %q", got)
	}
}

type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }
