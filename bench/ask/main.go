// Command ask measures what answers to questions do to a clustering: how often the result
// is worse than the one without answers, and how much answers gain, by the rule of
// inkling ask (package continuity) and by label spreading from the first answer on.
//
//	go run ./bench/ask -quick
//	go run ./bench/ask -log ask.jsonl
//	go run ./bench/ask -only letters -seeds 2 -cells
//	go run ./bench/ask -http
//
// The truth answers the questions of the program, correctly and with one answer in ten
// wrong. A cell is a table, a seed and a number of answers; a cell is bad where its
// adjusted Rand index is more than .02 below that without answers. The exit code is 1 where more than 2 % of the cells of
// our rule are bad, with wrong answers 8 %, or correct answers lose more than .10 anywhere.
//
// With -http the questions of some tables are also answered on the page, by a server over TCP, and its exported
// clusters must be those of the library.
//
// Tables that need files are left out where INKLING_DATA, by default ../shared/data, does not
// have them; -quick takes those that are generated or built in.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	s := study{}
	quick := flag.Bool("quick", false, "two seeds of the tables that are generated or built in, up to 50 answers")
	answers := flag.String("answers", "0,1,2,5,10,20,50,100", "numbers of answers")
	only := flag.String("only", "", "only the tables whose names contain this")
	flag.IntVar(&s.seeds, "seeds", 5, "conversations about each table")
	flag.IntVar(&s.first, "first", 1, "the first of their seeds")
	flag.Float64Var(&s.wrong, "wrong", 0.1, "share of wrong answers of the second half")
	flag.BoolVar(&s.page, "http", false, "five tables, through the library and over HTTP, on the page")
	flag.BoolVar(&s.cells, "cells", false, "print every bad cell")
	flag.IntVar(&s.jobs, "jobs", 2, "conversations at the same time")
	path := flag.String("log", "", "file of the conversations that were held: what is there is not held again")
	asJSON := flag.Bool("json", false, "print all cells as JSON")
	flag.Parse()
	if *quick {
		s.seeds, *answers = 2, "0,1,2,5,10,20,50"
	}
	var err error
	if *path != "" {
		if s.log, err = openLog(*path); err != nil {
			fmt.Fprintln(os.Stderr, "ask:", err)
			os.Exit(1)
		}
	}
	err = s.run(context.Background(), *answers, *only, *quick, *asJSON)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ask:", err)
		os.Exit(1)
	}
}

func (s *study) run(ctx context.Context, answers, only string, quick, asJSON bool) (err error) {
	for _, text := range strings.Split(answers, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return fmt.Errorf("-answers must be numbers of at least 0, got %q", text)
		}
		s.answers = append(s.answers, n)
	}
	var all []table
	var missing []string
	if s.page {
		all, err = pageTables()
	} else {
		all, missing, err = tables(quick)
	}
	if err != nil {
		return err
	}
	if len(missing) > 0 && !asJSON {
		fmt.Printf("left out, there are no files: %s\n", strings.Join(missing, ", "))
	}
	for _, t := range all {
		if strings.Contains(t.name, only) {
			s.tables = append(s.tables, t)
		}
	}
	cells, err := s.measure(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(cells)
	}
	s.print(os.Stdout, cells)
	return s.check(cells)
}
