// Command inkling-gpu finds nearest centres and neighbours on a GPU for inkling, which starts it where it
// lies beside inkling or on the PATH. It is a program of its own because opening a driver
// takes the C library of the machine, which inkling itself does without, and so that a GPU
// that fails takes nothing else with it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/inklinghq/inkling/cmd/inkling-gpu/internal/cuda"
	"github.com/inklinghq/inkling/internal/door/gpu/window"
	"github.com/inklinghq/inkling/internal/numeric/device/wire"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "inkling-gpu finds nearest centres and neighbours on a GPU for inkling, which starts it by itself.\n\nUsage:\n  inkling-gpu          says which GPU it would use\n  inkling-gpu FILE     answers inkling, through FILE and its pipes")
	}
	flag.Parse()
	if err := run(flag.Args(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "inkling-gpu:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) > 1 {
		return fmt.Errorf("there must be at most one file, got %d", len(args))
	}
	gpu, err := cuda.Open()
	if err != nil {
		if len(args) == 1 {
			wire.ReadRequest(in) //nolint:errcheck // whatever was asked, this is the answer
			return fail(out, err)
		}
		return err
	}
	if len(args) == 0 {
		d, err := describe(gpu)
		if err != nil {
			return err
		}
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(d)
	}
	w, err := window.Open(args[0])
	if err != nil {
		return err
	}
	defer w.Close()
	return (&server{gpu: gpu, window: w, rows: map[uint32]*Rows{}}).serve(in, out)
}

func describe(g *cuda.GPU) (wire.Description, error) {
	free, total, err := cuda.Memory()
	return wire.Description{Protocol: wire.Version, Name: g.Name, Memory: total, Free: free, Driver: g.Driver,
		Compute: fmt.Sprintf("%d.%d", g.Compute/10, g.Compute%10), Units: g.Units}, err
}
