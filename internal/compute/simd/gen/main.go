// Command gen writes the assembly of package simd. It is a module of its own,
// so that the library does not depend on the generator. In this directory,
//
//	go generate
//
// rewrites the kernels beside it; go test says whether they are up to date.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/mmcloughlin/avo/build"
)

//go:generate go run . -part tile -out ../tile_amd64.s -stubs ../tile_amd64.go -pkg simd
//go:generate go run . -part rows -out ../rows_amd64.s -stubs ../rows_amd64.go -pkg simd
//go:generate go run . -part shift -out ../shift_amd64.s -stubs ../shift_amd64.go -pkg simd
//go:generate go run . -part peak -out ../peak_amd64.s -stubs ../peak_amd64.go -pkg simd
//go:generate go run . -part sparse -out ../sparse_amd64.s -stubs ../sparse_amd64.go -pkg simd
//go:generate go run . -part whole -out ../whole_amd64.s -stubs ../whole_amd64.go -pkg simd
//go:generate go run . -part columns -out ../columns_amd64.s -stubs ../columns_amd64.go -pkg simd
//go:generate go run . -part kept -out ../kept_amd64.s -stubs ../kept_amd64.go -pkg simd
//go:generate go run . -part vectors -out ../vectors_amd64.s -stubs ../vectors_amd64.go -pkg simd

var parts = map[string]func(){
	"columns": columns,
	"kept":    kept,
	"peak":    peaks,
	"rows":    rows,
	"shift":   shifts,
	"sparse":  sparse,
	"tile":    tiles,
	"vectors": vectors,
	"whole":   whole,
}

func main() {
	names := slices.Sorted(maps.Keys(parts))
	part := flag.String("part", "", fmt.Sprintf("which kernels: one of %v", names))
	flag.Parse()
	write, ok := parts[*part]
	if !ok {
		fmt.Fprintf(os.Stderr, "gen: part %q, want one of %v\n", *part, names)
		os.Exit(2)
	}
	build.ConstraintExpr("!purego")
	write()
	build.Generate()
}
