// Command seeding repeats the experiments of Basu, Banerjee and Mooney,
// "Semi-supervised Clustering by Seeding" (ICML 2002), on 20 Newsgroups:
// Random-, Seeded- and Constrained-KMeans on the sphere, with more and more
// seeds, with wrong seeds, and with classes that have none. It prints tables
// and then, claim by claim, whether what the paper says came out.
//
// All messages are clustered; mutual information is measured on the tenth of
// them that no seed was drawn from. docs/SEEDING.md has the results.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
)

type options struct {
	data    string
	sets    string
	folds   int
	seed    uint64
	workers int
	quick   bool
	profile string
}

func main() {
	var o options
	flag.StringVar(&o.data, "data", folder(), "folder of 20 Newsgroups: data.mtx.gz and labels.txt.gz")
	flag.StringVar(&o.sets, "sets", strings.Join(setNames, ","), "which sets of messages to run, with commas between")
	flag.IntVar(&o.folds, "folds", 10, "folds of the cross-validation")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of all randomness")
	flag.IntVar(&o.workers, "workers", runtime.GOMAXPROCS(0), "runs at a time; the tables do not depend on it")
	flag.BoolVar(&o.quick, "quick", false, "three folds at most and few levels, for a quick look")
	flag.StringVar(&o.profile, "cpuprofile", "", "write a CPU profile to this file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends at once
	err := run(ctx, o)
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "seeding: interrupted; the tables hold what was done by then")
		os.Exit(130)
	default:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// folder is where the data is unless -data says otherwise.
func folder() string {
	if root := os.Getenv("INKLING_DATA"); root != "" {
		return filepath.Join(root, "20news")
	}
	return filepath.Join("..", "shared", "data", "20news")
}

func run(ctx context.Context, o options) error {
	if flag.NArg() > 0 {
		return fmt.Errorf("seeding: %q is no flag; see -help", flag.Arg(0))
	}
	if o.quick {
		o.folds = min(o.folds, 3)
	}
	if o.folds < 2 || o.folds > 100 {
		return fmt.Errorf("seeding: %d folds, want 2 to 100", o.folds)
	}
	studies, err := prepareAll(o)
	if err != nil {
		return err
	}
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	s, _ := os.Stderr.Stat()
	progress := &meter{w: os.Stderr, terminal: s != nil && s.Mode()&os.ModeCharDevice != 0}
	began := time.Now()
	err = runAll(ctx, studies, o.seed, o.workers, progress)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		fmt.Printf("INTERRUPTED after %d of %d runs: the tables are of the folds made by then.\n\n", progress.at, progress.jobs)
	}
	fmt.Printf("Mutual information (natural logarithm) and NMI on the test part, mean ± standard error over folds. Seed %d.\n", o.seed)
	for _, s := range studies {
		s.print(os.Stdout)
	}
	fmt.Printf("\n## Claims\n\nDifferences are paired by fold; holds or FAILS by a two-sided t-test at %g, a ≥ also where the difference is not below 0.\n", level)
	for _, s := range studies {
		s.judge(os.Stdout)
	}
	fmt.Fprintf(os.Stderr, "%v in all\n", time.Since(began).Round(time.Second))
	return err
}

func prepareAll(o options) ([]*study, error) {
	counts, err := readCounts(o.data, o.workers)
	if err != nil {
		return nil, err
	}
	var out []*study
	for _, name := range strings.Split(o.sets, ",") {
		c, err := counts.part(strings.TrimSpace(name), o.seed)
		if err != nil {
			return nil, err
		}
		out = append(out, newStudy(c, o.folds, o.seed, o.quick))
	}
	return out, nil
}
