// Command trust measures what constraints do to a method: how often true ones make
// its result worse than the one without any, and how much they gain on average; and how
// long the automatic choice of a method takes.
//
//	go run ./bench/trust harm
//	go run ./bench/trust -methods mpc-kmeans,mpc-kmeans:weight=0.1 -pairs 100 -tables harm
//	go run ./bench/trust choice
//
// The tables are those that defaults may be chosen on: Iris, Wine, samples of the
// digits and letters of UCI, and generated ones. Others judge (papers/cmd/reproduce).
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

func main() {
	methods := flag.String("methods", "pc-kmeans,m-kmeans,mpc-kmeans,hmrf-kmeans,hmrf-kmeans:inference=bp", "methods, with parameters after colons")
	pairs := flag.String("pairs", "50,100,200", "amounts of pairs, drawn at random by the truth")
	only := flag.String("only", "", "only the tables whose names contain this")
	s := study{}
	flag.IntVar(&s.draws, "draws", 8, "draws of the pairs of each amount")
	flag.Float64Var(&s.wrong, "wrong", 0, "share of the pairs that are of the wrong kind")
	flag.StringVar((*string)(&s.effort), "effort", string(cluster.EffortNormal), "how long to search for a low minimum")
	flag.BoolVar(&s.perTable, "tables", false, "print each table, too")
	flag.IntVar(&s.jobs, "jobs", 2, "fits at the same time")
	clusters := flag.String("k", "5,10,20", "numbers of clusters of choice")
	flag.Parse()
	var err error
	switch flag.Arg(0) {
	case "harm":
		if err = s.prepare(*methods, *pairs, *only); err == nil {
			err = s.printHarm(os.Stdout)
		}
	case "choice":
		err = printChoice(os.Stdout, *clusters)
	default:
		fmt.Fprintln(os.Stderr, "usage: go run ./bench/trust [-methods LIST] [-pairs LIST] [-draws N] [-wrong SHARE] [-effort LEVEL] [-only NAME] [-tables] harm")
		fmt.Fprintln(os.Stderr, "       go run ./bench/trust [-k LIST] choice")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "trust:", err)
		os.Exit(1)
	}
}

// prepare reads the methods, the amounts and the tables.
func (s *study) prepare(methods, pairs, only string) (err error) {
	if s.methods, err = experiment.ParseMethods(methods); err != nil {
		return err
	}
	if s.pairs, err = harness.Sizes(pairs); err != nil {
		return err
	}
	all, err := tables()
	for _, t := range all {
		if strings.Contains(t.name, only) {
			s.tables = append(s.tables, t)
		}
	}
	return err
}
