package dataio

import (
	"bytes"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/matrix"
	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// Bounds of the decision that a source is an edge list.
const (
	edgeLines   = 5000 // that are looked at
	fewestEdges = 3
	sharedNames = 0.05 // share of the names of one column that stand in the other too
	// Columns that a first line calls otherwise than an edge list's hold edges where they have so many names, of which
	// so large a share stands in both, and nearly all lines are another pair.
	fewestNames = 20
	mostShared  = 0.5
	otherPairs  = 0.9
)

// An edgeHead is what the first lines of a source show of an edge list.
type edgeHead struct {
	first, second map[string]int
	lines         int
	numbers       bool // a node is a whole number
	named         bool // the first line names the columns of an edge list
	headed        bool // the first line names columns of something
	pairs         map[[2]string]bool
}

// looksLikeEdges reports whether the first bytes of a source are an edge list: two
// columns of names that occur again, also in the other column, and perhaps a weight. In a
// table with whole numbers the header has to say so.
func looksLikeEdges(head []byte, table bool) bool {
	if !bytes.HasSuffix(head, []byte("\n")) && bytes.Count(head, []byte("\n")) > 20 {
		head = head[:bytes.LastIndexByte(head, '\n')] // the last line may be cut off
	}
	e := edgeHead{first: map[string]int{}, second: map[string]int{}, pairs: map[[2]string]bool{}}
	columns := 0
	for _, line := range bytes.Split(bytes.TrimPrefix(head, source.UTF8BOM), []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || line[0] == '%' {
			continue
		}
		if e.lines == edgeLines {
			break
		}
		fields := edgeFields(string(line))
		if columns == 0 {
			columns = len(fields)
			if columns < 2 || columns > 6 {
				return false
			}
			if e.takeHeader(fields) {
				continue
			}
		}
		if len(fields) != columns || !e.addEdge(fields) {
			return false
		}
	}
	return e.decide(columns, table)
}

// edgeFields divides a line at tabs, commas, semicolons or blanks, the first of them that it has.
func edgeFields(line string) []string {
	for _, sign := range []string{"\t", ",", ";"} {
		if strings.Contains(line, sign) {
			fields := strings.Split(line, sign)
			for i, f := range fields {
				fields[i] = strings.Trim(strings.TrimSpace(f), `"`)
			}
			return fields
		}
	}
	return strings.Fields(line)
}

// edgeHeaders are the names that the columns of nodes have.
var edgeHeaders = append([]string{"u v", "i j", "a b"}, matrix.NodeHeaders...)

// takeHeader takes the first line for names of columns where it is such.
func (e *edgeHead) takeHeader(fields []string) bool {
	pair := strings.ToLower(fields[0] + " " + fields[1])
	for _, h := range edgeHeaders {
		if pair == h {
			e.named = h != "a b"
			return true
		}
	}
	if len(fields) < 3 {
		return false
	}
	_, number := scan.ParseNumber([]byte(fields[2]))
	e.headed = !number && !strings.HasPrefix(strings.ToLower(fields[2]), "w")
	return !number
}

// addEdge takes a line; false is one that is no edge.
func (e *edgeHead) addEdge(fields []string) bool {
	for i, f := range fields[:2] {
		if f == "" || len(f) > 100 || i < 2 && strings.Contains(f, " ") {
			return false
		}
		if _, whole := scan.ParseNatural([]byte(f)); whole {
			e.numbers = true
		} else if _, number := scan.ParseNumber([]byte(f)); number {
			return false // measurements, not names
		}
	}
	if len(fields) > 2 {
		if _, number := scan.ParseNumber([]byte(fields[2])); !number {
			return false
		}
	}
	if fields[0] != fields[1] {
		e.pairs[[2]string{min(fields[0], fields[1]), max(fields[0], fields[1])}] = true
	}
	e.first[fields[0]]++
	e.second[fields[1]]++
	e.lines++
	return true
}

// decide looks at all lines together.
func (e *edgeHead) decide(columns int, table bool) bool {
	if columns > 3 && !e.named {
		return false
	}
	if e.named {
		return e.lines > 0
	}
	if e.lines < fewestEdges || table && e.numbers {
		return false
	}
	shared := 0
	for name := range e.first {
		if e.second[name] > 0 {
			shared++
		}
	}
	all := len(e.first) + len(e.second) - shared
	fewer := min(len(e.first), len(e.second))
	if e.headed && (all < fewestNames || float64(shared) < mostShared*float64(fewer) || float64(len(e.pairs)) < otherPairs*float64(e.lines)) {
		return false
	}
	return float64(shared) >= sharedNames*float64(fewer) && shared > 0 && all < 2*e.lines
}
