// Package webcommand is inkling web: the page on which clusters are seen, questions answered
// and rows labelled, served to a browser on this machine.
package webcommand

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/server"
	"github.com/inklinghq/inkling/web"
)

// New returns the command.
func New(p Program) *cobra.Command {
	v := &serving{Program: &p}
	cmd := &cobra.Command{
		Use:   "web [DATA|SESSION|IMAGE]",
		Short: "see clusters in the browser, answer questions, label rows",
		Long: `Show data in the browser: clusters on a plane, questions, labels and links by
hand, and a clustering that follows every answer. IMAGE is segmented by strokes;
of a folder of images each is a row, by --embeddings or simple measures.
Everything is kept in a session, a file beside DATA that the same command goes on
with; without DATA an example is opened to play with. The first line on stdout is
the address, with a token that nobody can guess. Ctrl-C ends it; nothing is lost.`,
		Example: `  inkling web example:iris.csv -k 3
  inkling web example:wine.csv --session wine.jsonl --no-open
  inkling web wine.jsonl --listen localhost:0`,
		Args: p.Args,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				v.path = args[0]
			}
			return v.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&v.session, "session", "", "`FILE` the session: begun, or continued where it is there (default: beside DATA)")
	f.StringVar(&v.listen, "listen", "127.0.0.1:0", "`ADDR` address and port; port 0: any that is free")
	f.BoolVar(&v.noOpen, "no-open", false, "print the address only, and start no browser")
	f.StringVar(&v.cert, "tls-cert", "", "`FILE` certificate, for HTTPS")
	f.StringVar(&v.key, "tls-key", "", "`FILE` its key")
	f.BoolVar(&v.proxy, "behind-proxy", false, "trust a proxy in front to speak HTTPS and to check who people are")
	f.StringSliceVar(&v.hosts, "host", nil, "`NAMES` other names under which the page is reached")
	f.StringVar(&v.maxUpload, "max-upload", "1GB", "`SIZE` of the largest file that can be dropped on the page")
	f.DurationVar(&v.timeout, "timeout", 0, "`TIME` end by itself after this time (default: never)")
	f.StringVar(&v.dev, "dev", "", "`DIR` take the page from this folder, to work on it")
	flags.ClusterCount(f, &v.o.K, &v.o.KMin, &v.o.KMax, "k", "k", "`N` clusters, a range or auto")
	f.StringVar(&v.o.Method, "method", "", "`NAME` method of the fits (default: by the constraints)")
	f.Uint64Var(&v.seed, "seed", door.DefaultSeed, "`N` random seed")
	v.source, v.check = p.Input(cmd, &v.o)
	flags.Group(cmd, flags.GroupMethod, "k", "method", "seed")
	flags.Advanced(cmd, "host", "max-upload", "timeout", "dev", "seed", "missing", "scale")
	return cmd
}

func (v *serving) run(ctx context.Context) error {
	if err := v.check(); err != nil {
		return err
	}
	v.o.Seed = &v.seed
	limit, err := size(v.maxUpload)
	if err != nil {
		return err
	}
	if err := v.checkListen(); err != nil {
		return err
	}
	if err := v.readCertificate(); err != nil {
		return err
	}
	at, err := net.Listen("tcp", v.listen)
	if err != nil {
		return usage("listen", "%s: %v", v.listen, err)
	}
	defer at.Close()
	page := web.Files()
	if v.dev != "" {
		page = os.DirFS(v.dev)
	}
	s, err := server.New(server.Options{Hosts: v.names(at.Addr()), BehindProxy: v.proxy, Page: page, MaxUpload: limit, Workers: v.o.Workers})
	if err != nil {
		return err
	}
	if err := v.open(ctx, s); err != nil {
		return errors.Join(err, s.Close())
	}
	v.Serving()
	if v.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, v.timeout)
		defer cancel()
	}
	url := v.address(at.Addr()) + "?token=" + s.Token()
	if err := v.announce(url); err != nil {
		return errors.Join(err, s.Close())
	}
	return errors.Join(v.serve(ctx, at, s), s.Close())
}

// announce prints where the page is, and starts a browser.
func (v *serving) announce(url string) error {
	var err error
	if *v.JSON {
		err = v.PrintJSON(Output{"inkling.web/1", url, v.session})
	} else {
		_, err = fmt.Fprintln(v.Stdout, url)
	}
	if err != nil {
		return err
	}
	if v.temporary != "" {
		v.Say("%s", v.temporary)
	} else {
		v.Say("everything is kept in %s; Ctrl-C ends the page", v.session)
	}
	if !v.noOpen && !*v.JSON && v.Terminal() {
		openBrowser(url)
	}
	return nil
}

// open opens what was named on the command line.
func (v *serving) open(ctx context.Context, s *server.Server) error {
	if v.path == "" && v.session == "" {
		v.temporary = "an example to play with: what you do is in a temporary folder and removed at the end; `inkling web DATA` opens your own"
		return s.OpenExample(ctx, "iris", "this is an example to play with; what you do is not kept")
	}
	d := server.Data{Path: v.path, Session: v.session, Source: door.Bridge.ToSource(*v.source).(inkling.Source), Options: door.Bridge.ToOptions(v.o).(inkling.Options)}
	if isSession(v.path) {
		if v.session != "" {
			return usage("session", "%s is a session already", v.path)
		}
		d.Path, d.Session = "", v.path
	}
	if d.Session == "" {
		d.Session = v.besideData()
	}
	v.session = d.Session
	err := s.Open(ctx, d)
	var locked *session.LockedError
	var file *fs.PathError
	switch {
	case errors.As(err, &locked):
		return usage("session", "%v", err)
	case errors.As(err, &file):
		return &door.InputError{File: file.Path, Msg: file.Err.Error()}
	}
	return err
}

// besideData is where the session of data is kept unless it is named; "": in a temporary folder.
func (v *serving) besideData() string {
	if strings.HasPrefix(v.path, door.BuiltinPrefix) || v.path == "-" {
		v.temporary = "what you do is in a temporary folder and removed at the end; --session FILE keeps it"
		return ""
	}
	clean := filepath.Clean(v.path)
	return strings.TrimSuffix(clean, filepath.Ext(clean)) + ".session.jsonl"
}

// isSession reports whether a file begins as a session does.
func isSession(path string) bool {
	if path == "" || strings.HasPrefix(path, door.BuiltinPrefix) || path == "-" {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const begin = `{"inkling":"session/`
	first, _ := bufio.NewReader(f).Peek(len(begin))
	return string(first) == begin
}
