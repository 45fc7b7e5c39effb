package webcommand

import (
	"crypto/tls"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/door"
)

// A Program is what the command needs of the program that it is part of.
type Program struct {
	Say       func(format string, args ...any) // a line for people
	PrintJSON func(any) error
	// Input adds the flags for reading and preparing data to a command.
	Input  func(cmd *cobra.Command, o *door.Options) (source *door.Source, check func() error)
	Args   cobra.PositionalArgs
	Stdout io.Writer
	JSON   *bool
	// Serving says that a signal ends the program well from now on: the context ends then.
	Serving func()
	// Terminal reports whether a person reads stderr.
	Terminal func() bool
}

// Output is what inkling web prints with --json when it is ready.
type Output struct {
	Schema  string `json:"schema"`
	URL     string `json:"url"` // with the token, for the first visit
	Session string `json:"session"`
}

// serving is one run of inkling web.
type serving struct {
	*Program
	path, session string
	listen        string
	hosts         []string
	cert, key     string
	certificates  []tls.Certificate // of cert and key
	proxy, noOpen bool
	maxUpload     string
	dev           string
	timeout       time.Duration
	source        *door.Source
	check         func() error
	o             door.Options
	seed          uint64
	temporary     string
}

// usage refuses the command line.
func usage(option, format string, args ...any) error {
	return &door.OptionError{Option: option, Msg: fmt.Sprintf(format, args...)}
}
