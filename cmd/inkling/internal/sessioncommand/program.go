// Package sessioncommand is inkling ask, which asks a person about pairs of rows, and
// inkling session, which shows, replays, exports and corrects what was answered.
package sessioncommand

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// A Program is what the commands need of the program that they are part of.
type Program struct {
	Say       func(format string, args ...any) // a line for people
	Detail    func(format string, args ...any) // one that only --verbose asks for
	Note      func(door.Note)
	Show      func(line func() string) (done func()) // progress
	PrintJSON func(any) error
	WriteFile func(path string, write func(io.Writer) error) error
	Open      func(ctx context.Context, path string, s door.Source) (*door.Table, error)
	// Input adds the flags for reading and preparing data to a command.
	Input  func(cmd *cobra.Command, o *door.Options) (source *door.Source, check func() error)
	Args   func(n int, what string) cobra.PositionalArgs
	Stdin  io.Reader
	Stdout io.Writer
	// Painted is standard output for text that is made printable already and may be in
	// colours; Canvas returns how wide its lines may be, and whether colours are wanted.
	Painted io.Writer
	Canvas  func() (width int, colour bool)
	JSON    *bool
}

// usage refuses the command line.
func usage(option, format string, args ...any) error {
	return &door.OptionError{Option: option, Msg: fmt.Sprintf(format, args...)}
}

// advise refuses the command line, and says what to do.
func advise(option, msg string, h door.Hint) error {
	return &door.OptionError{Option: option, Msg: msg, Hint: h}
}

// inputError turns what opening a session may return into errors of the program.
func inputError(path string, err error) error {
	var locked *session.LockedError
	var changed *session.ChangedError
	var file *fs.PathError
	switch {
	case errors.As(err, &locked), errors.As(err, &changed):
		return usage("session", "%v", err)
	case errors.Is(err, fs.ErrNotExist):
		return &door.InputError{File: path, Msg: "there is no such session"}
	case errors.As(err, &file):
		return &door.InputError{File: path, Msg: file.Err.Error()}
	}
	return err
}

// opened says what was found when a session was opened.
func (p *Program) opened(s *session.Session) {
	for _, n := range s.Notes() {
		p.Say("warning: %s", n)
	}
}
