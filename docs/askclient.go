//go:build ignore

// A whole client of the line protocol (CLI.md): it runs inkling ask and answers by
// a rule of its own.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
)

type field struct{ Differs bool }
type line struct {
	Question *struct{ Fields []field }
	Done     *struct{ Answers int }
}

func main() { // go run docs/askclient.go iris.csv -k 3 --session iris.jsonl --budget 20
	ask := exec.Command("inkling", append([]string{"ask", "--json", "-q"}, os.Args[1:]...)...)
	answers, _ := ask.StdinPipe()
	lines, _ := ask.StdoutPipe()
	if err := ask.Start(); err != nil {
		panic(err)
	}
	for in, l := json.NewDecoder(lines), (line{}); in.Decode(&l) == nil && l.Done == nil; l = (line{}) {
		if l.Question == nil {
			continue // ok
		}
		say := "same"
		if slices.ContainsFunc(l.Question.Fields, func(f field) bool { return f.Differs }) {
			say = "different"
		}
		fmt.Fprintf(answers, "{\"answer\": %q}\n", say)
	}
	ask.Wait()
	os.Exit(ask.ProcessState.ExitCode())
}
