package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
)

func TestWholeFitsHaveTheirRows(t *testing.T) {
	var out bytes.Buffer
	if err := whole(&out, wholeFits(), 1000, 1, cluster.EffortNormal); err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(out.String(), "| converged |"); rows != len(wholeFits()) {
		t.Errorf("%d rows:\n%s", rows, out.String())
	}
}
