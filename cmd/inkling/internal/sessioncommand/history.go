package sessioncommand

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio/tablefile"
	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/support/format"
)

// NewSession returns inkling session with its commands.
func NewSession(p Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session show|replay|export|undo FILE",
		Short: "show, replay, export or correct what was answered",
		Long: `A session is the file in which inkling ask keeps every answer, label and fit.
Nothing is ever removed from it: what is undone stays, without effect.`,
		Example: `  inkling ask example:iris.csv -k 3 --session iris.jsonl --oracle example:iris-truth.csv --budget 20
  inkling session show iris.jsonl
  inkling session replay iris.jsonl
  inkling session export iris.jsonl --links links.csv
  inkling session undo iris.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("", "session needs show, replay, export or undo, and a FILE; `inkling session --help` shows examples")
			}
			return usage("", "session takes show, replay, export or undo, and a FILE, got %q", args[0])
		},
	}
	cmd.AddCommand(p.showCommand(), p.replayCommand(), p.exportCommand(), p.undoCommand())
	return cmd
}

// about returns a command on one session that is there, which open opens and do works on.
func (p *Program) about(open func(path string) (*session.Session, error), c cobra.Command, do func(context.Context, *session.Session) error) *cobra.Command {
	c.Args = p.Args(1, "one FILE: a session")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := open(args[0])
		if err != nil {
			return inputError(args[0], err)
		}
		defer s.Close()
		p.opened(s)
		if err := do(cmd.Context(), s); err != nil {
			return err
		}
		return s.Close()
	}
	return &c
}

// Shown is what inkling session show prints with --json.
type Shown struct {
	Schema string          `json:"schema"`
	Data   string          `json:"data"`
	Rows   int             `json:"rows"`
	Totals Totals          `json:"totals"`
	Events []EventAsPeople `json:"events"`
}

// Totals counts what is in force.
type Totals struct {
	Labels  int `json:"labels"`
	Must    int `json:"must"`
	Cannot  int `json:"cannot"`
	Beliefs int `json:"beliefs"`
	Unsure  int `json:"unsure"`
	Skipped int `json:"skipped"`
}

// EventAsPeople is an event in words.
type EventAsPeople struct {
	N       int    `json:"n"`
	At      string `json:"at"`
	Op      string `json:"op"`
	Text    string `json:"text"`
	InForce bool   `json:"in_force"`
}

func (p *Program) showCommand() *cobra.Command {
	return p.about(session.Read, cobra.Command{
		Use: "show FILE", Short: "print the history of a session",
		Example: "  inkling session show iris.jsonl",
	}, func(_ context.Context, s *session.Session) error {
		out := Shown{Schema: "inkling.session/1", Data: s.DataPath(), Rows: s.Header().Data.Rows, Totals: Totals(s.Totals()), Events: []EventAsPeople{}}
		in := map[int]bool{}
		for _, e := range s.InForce() {
			in[e.N] = true
		}
		for _, e := range s.Events() {
			out.Events = append(out.Events, EventAsPeople{e.N, e.At.UTC().Format("2006-01-02T15:04:05.000Z"), string(e.Op), e.String(), in[e.N] || e.Op == session.OpUndo})
		}
		if *p.JSON {
			return p.PrintJSON(out)
		}
		return p.printHistory(s, out)
	})
}

func (p *Program) printHistory(s *session.Session, out Shown) error {
	fmt.Fprintf(p.Stdout, "%s: %s, begun %s\n", terminal.Printable(out.Data), format.Count(out.Rows, "row"), s.Header().Created.UTC().Format("2006-01-02 15:04 MST"))
	for _, e := range out.Events {
		mark := " "
		if !e.InForce {
			mark = "-" // undone
		}
		if _, err := fmt.Fprintf(p.Stdout, "%s%5d  %.19s  %s\n", mark, e.N, e.At, terminal.Printable(e.Text)); err != nil {
			return err
		}
	}
	p.Say("%s", totals(out.Totals))
	return nil
}

func totals(t Totals) string {
	return fmt.Sprintf("in force: %s, %s, %s, %s, %d unsure, %d skipped", format.Count(t.Labels, "label"), format.Count(t.Must, "must-link"), format.Count(t.Cannot, "cannot-link"), format.Count(t.Beliefs, "belief"), t.Unsure, t.Skipped)
}

// Replayed is what inkling session replay prints with --json.
type Replayed struct {
	Schema  string             `json:"schema"`
	Events  int                `json:"events"`
	Answers int                `json:"answers"` // in force
	Fits    []session.Replayed `json:"fits"`
	Same    bool               `json:"same"` // all of them
}

func (p *Program) replayCommand() *cobra.Command {
	var workers int
	cmd := p.about(session.Read, cobra.Command{
		Use: "replay FILE", Short: "fit again, and say whether the clusters are the same",
		Long:    "Make every fit of a session again with the answers that were in force then, and\nsay whether the clusters are the same. The exit code is 1 if they are not.",
		Example: "  inkling session replay iris.jsonl --json",
	}, func(ctx context.Context, s *session.Session) error { return p.replay(ctx, s, workers) })
	flags.Integer(cmd.Flags(), &workers, "workers", "", 0, "`N` number of goroutines (default: one per processor); does not change the result")
	flags.Group(cmd, flags.GroupData, "workers")
	return cmd
}

func (p *Program) replay(ctx context.Context, s *session.Session, workers int) error {
	t, err := s.Table(ctx, workers)
	if err != nil {
		return inputError(s.Path(), err)
	}
	n := 0
	done := p.Show(func() string { return fmt.Sprintf("fit %d", n+1) })
	fits, err := s.Replay(ctx, t, door.Options{Workers: workers, NoSuspects: true}, func(session.Replayed) { n++ })
	done()
	if err != nil {
		return err
	}
	c := s.Totals()
	out := Replayed{"inkling.session/1", len(s.Events()), c.Must + c.Cannot + c.Beliefs + c.Unsure + c.Skipped, fits, true}
	for _, f := range fits {
		out.Same = out.Same && f.Same
	}
	if *p.JSON {
		err = p.PrintJSON(out)
	} else {
		err = p.printReplay(out)
	}
	if err == nil && !out.Same {
		err = fmt.Errorf("%s: the clusters are not the same; was the session made by another version, or its data changed?", s.Path())
	}
	return err
}

func (p *Program) printReplay(out Replayed) error {
	for _, f := range out.Fits {
		word := "the same"
		if !f.Same {
			word = "OTHER clusters"
		}
		if _, err := fmt.Fprintf(p.Stdout, "%6d  labels %.12s  %s\n", f.N, f.LabelsSHA256, word); err != nil {
			return err
		}
	}
	p.Say("%s, %s, %s", format.Count(out.Events, "event"), format.Count(out.Answers, "answer"), format.Count(len(out.Fits), "fit"))
	return nil
}

// exportClusters makes the last fit again and writes its clusters.
func (p *Program) exportClusters(ctx context.Context, s *session.Session, path string, escape bool, workers int) error {
	t, err := s.Table(ctx, workers)
	if err != nil {
		return inputError(s.Path(), err)
	}
	done := p.Show(func() string { return "making the last fit again" })
	r, e, err := s.LastFit(ctx, t, door.Options{Workers: workers, NoSuspects: true})
	done()
	switch {
	case err != nil:
		return err
	case r == nil:
		return usage("clusters", "%s has no fit yet", s.Path())
	}
	if err := p.WriteFile(path, tablefile.Encode(path, escape, func(w io.Writer) error { return s.WriteClusters(w, r) })); err != nil {
		return err
	}
	p.Say("%s: the clusters of event %d", path, e.N)
	return nil
}

func (p *Program) exportCommand() *cobra.Command {
	var labels, links, beliefs, clusters string
	var escape bool
	var workers int
	cmd := p.about(session.Read, cobra.Command{
		Use: "export FILE", Short: "write the labels and links that are in force",
		Long:    "Write what is in force as files that inkling cluster takes: labels as id,label,\nlinks as a,b,kind, beliefs as a,b,belief. --clusters makes the last fit again and\nwrites id,cluster, with the names that clusters were given.",
		Example: "  inkling session export iris.jsonl --links links.csv --labels labels.csv\n  inkling session export iris.jsonl --clusters clusters.csv",
	}, func(ctx context.Context, s *session.Session) error {
		if labels+links+beliefs+clusters == "" {
			return advise("links", "nothing is asked for", "name a file by {labels}, {links}, {beliefs} or {clusters}")
		}
		outputs := []targets.Target{{Flag: "--clusters", Path: clusters}, {Flag: "--labels", Path: labels}, {Flag: "--links", Path: links}, {Flag: "--beliefs", Path: beliefs}}
		if err := cmp.Or(targets.Tables(outputs[0]), targets.ProtectInputs(outputs, s.Path()), targets.Separate(outputs...)); err != nil {
			return err
		}
		if clusters != "" {
			if err := p.exportClusters(ctx, s, clusters, escape, workers); err != nil {
				return err
			}
		}
		for _, f := range []struct {
			path  string
			write func(io.Writer) error
		}{{labels, s.WriteLabels}, {links, s.WriteLinks}, {beliefs, s.WriteBeliefs}} {
			if f.path == "" {
				continue
			}
			if escape {
				f.write = tablefile.Escape(f.write)
			}
			if err := p.WriteFile(f.path, f.write); err != nil {
				return err
			}
		}
		p.Say("%s", totals(Totals(s.Totals())))
		return nil
	})
	f := cmd.Flags()
	f.StringVar(&labels, "labels", "", "`FILE` write the labels")
	f.StringVar(&links, "links", "", "`FILE` write the must-links and cannot-links")
	f.StringVar(&beliefs, "beliefs", "", "`FILE` write the beliefs")
	f.StringVar(&clusters, "clusters", "", "`FILE` make the last fit again and write its clusters")
	flags.Integer(f, &workers, "workers", "", 0, "`N` number of goroutines (default: one per processor); does not change the result")
	flags.EscapeFormulas(f, &escape)
	flags.Group(cmd, flags.GroupOutput, "labels", "links", "beliefs", "clusters", "escape-formulas")
	flags.Group(cmd, flags.GroupData, "workers")
	return cmd
}

func (p *Program) undoCommand() *cobra.Command {
	var n int
	cmd := p.about(session.Open, cobra.Command{
		Use: "undo FILE", Short: "take back an answer or a label",
		Long:    "Take back the last answer, label or name that is in force, or event N. Undoing an\nundo puts its event in force again.",
		Example: "  inkling session undo iris.jsonl --event 3",
	}, func(_ context.Context, s *session.Session) error {
		e, err := s.Undo(n)
		if err != nil {
			return usage("event", "%v", err)
		}
		p.Say("undone: %d, %s", e.N, e)
		return nil
	})
	flags.Integer(cmd.Flags(), &n, "event", "", 1, "`N` the event to take back (default: the last)")
	flags.Group(cmd, flags.GroupOutput, "event")
	return cmd
}
