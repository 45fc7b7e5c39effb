package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// The reference lists every code that the program leaves by, and no other: those of exit.go, and what a
// shell says of a program whose reader of stdout left.
func TestExitCodesAreListed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "CLI.md"))
	if err != nil {
		t.Fatal(err)
	}
	const brokenPipe = 128 + 13
	want := []int{exitOK, exitInternal, exitUsage, exitInput, exitConflict, exitViolated, exitNoTime, exitInterrupted, brokenPipe}
	var got []int
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| `).FindAllSubmatch(text, -1) {
		code, err := strconv.Atoi(string(row[1]))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, code)
	}
	if !slices.Equal(got, want) {
		t.Errorf("CLI.md lists the exit codes %d, want %d", got, want)
	}
}
