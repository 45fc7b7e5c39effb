package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestTablesHaveTheirRows(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), &out, "gaps", 1, 3, 1, 1); err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(out.String(), "\n| "); rows != 1+3*3*len(columns) {
		t.Errorf("%d rows:\n%s", rows, out.String())
	}
	if err := run(context.Background(), &out, "scale", 1, 1, 1, 1000); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), &out, "speed", 1, 1, 1, 1); err == nil {
		t.Error("an unknown task is accepted")
	}
}
