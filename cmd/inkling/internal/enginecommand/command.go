// Package enginecommand is inkling engine: messages of other programs on stdin, replies
// on stdout.
package enginecommand

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/engine"
)

// A Program is what the command needs of the program that it is part of.
type Program struct {
	Args   cobra.PositionalArgs
	Stdin  io.Reader
	Stdout io.Writer // unchanged, and used by nothing else
	// Terminal reports whether a person is at the other end of stdin or stdout.
	Terminal func() bool
}

// New returns the command.
func New(p Program) *cobra.Command {
	return &cobra.Command{
		Use:   "engine",
		Short: "answer the messages of other programs on stdin and stdout",
		Long: `Answer requests of another program, such as the Python package, until stdin ends:
each message is its length in four bytes, the lowest first, and a JSON object.
docs/ENGINE.md describes the messages.`,
		Example: `  inkling engine --help`,
		Hidden:  true, // for programs
		Args:    p.Args,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if p.Terminal() {
				return &door.OptionError{Msg: "inkling engine speaks with programs, not with people: its stdin and stdout must not be a terminal"}
			}
			err := engine.Serve(cmd.Context(), p.Stdin, p.Stdout)
			if wrong := (*engine.Error)(nil); errors.As(err, &wrong) { // a message, not the engine
				return &door.InputError{File: "stdin", Msg: wrong.Message}
			}
			return err
		},
	}
}
