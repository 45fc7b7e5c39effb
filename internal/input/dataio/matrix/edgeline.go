package matrix

import (
	"bytes"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

type edgeReader struct {
	*scan.Lines
	lines int     // lines that are edges
	sign  byte    // between fields: a comma, a semicolon, or 0 for blanks
	part  [4]span // the fields of the line

	header  bool // the first line turned out to name columns
	columns int  // how many, if it was clear at once
	held    *heldEdge

	names map[string]int32 // nil while every node is a whole number
	ids   []string
	u, v  []int     // whole numbers, or numbers of names
	w     []float64 // nil while every weight is 1

	loops, zeros, plain int // dropped edges, and edges without a weight
}

// heldEdge is a first line whose nodes are not whole numbers: an edge if other
// lines have names too, else a header.
type heldEdge struct {
	u, v string
	w    float64
}

// nodeNumber parses a node that is a whole number as it would be written: a
// leading zero makes it a name.
func nodeNumber(tok []byte) (int, bool) {
	if len(tok) > 1 && tok[0] == '0' {
		return 0, false
	}
	return scan.ParseNatural(tok)
}

// span is a field of the current line.
type span struct {
	lo, hi int
	tok    []byte
}

// splitLine finds the fields of the line: the first four, and how many there are.
func (e *edgeReader) splitLine() (k int, err error) {
	if e.sign != 0 {
		return e.splitAtSign()
	}
	for lo, hi := scan.NextField(e.Text, 0); lo < hi; lo, hi = scan.NextField(e.Text, hi) {
		if k < len(e.part) {
			e.part[k] = span{lo, hi, e.Text[lo:hi]}
		}
		k++
	}
	return k, nil
}

func (e *edgeReader) splitAtSign() (k int, err error) {
	for from := 0; ; k++ {
		lo, _ := scan.NextField(e.Text, from)
		var s span
		if lo < len(e.Text) && e.Text[lo] == '"' {
			s, err = e.unquote(lo)
		} else {
			hi := len(e.Text)
			if c := bytes.IndexByte(e.Text[lo:], e.sign); c >= 0 {
				hi = lo + c
			}
			s = span{lo, hi, bytes.TrimRight(e.Text[lo:hi], " \t")}
		}
		if err != nil {
			return 0, err
		}
		if k < len(e.part) {
			e.part[k] = s
		}
		if len(s.tok) == 0 && k < 3 {
			return 0, e.Refusef(lo, "", "an empty field")
		}
		if from = s.hi + 1; from > len(e.Text) {
			return k + 1, nil
		}
	}
}

// unquote takes a field in quotes; a quote inside is written twice.
func (e *edgeReader) unquote(lo int) (span, error) {
	text := e.Text
	var tok []byte
	for p := lo + 1; p < len(text); p++ {
		if text[p] != '"' {
			tok = append(tok, text[p])
			continue
		}
		if p+1 < len(text) && text[p+1] == '"' {
			tok = append(tok, '"')
			p++
			continue
		}
		next, _ := scan.NextField(text, p+1)
		if next < len(text) && text[next] != e.sign {
			return span{}, e.Refusef(next, "", "something between the closing quote and the comma")
		}
		return span{lo, next, tok}, nil
	}
	return span{}, e.Refusef(lo, "", "the quote is not closed on this line")
}

// tooMany refuses fields after the third that no header names.
func (e *edgeReader) tooMany(k int) error {
	if k <= max(3, e.columns) {
		return nil
	}
	if e.columns > 0 {
		return e.Refusef(-1, "", "%d fields, the first line names %d", k, e.columns)
	}
	if e.sign == ',' {
		return e.Refusef(e.part[3].lo, "name the columns in a first line", "a fourth field, every line is: node,node[,weight]")
	}
	return e.Refusef(e.part[3].lo, "name the columns in a first line; names with blanks need commas between the fields", "a fourth field, every line is: node node [weight]")
}

// isHeader tells a first line that names columns by its third field, or by its
// first two.
func (e *edgeReader) isHeader(k int) bool {
	if k > 2 {
		if _, ok := scan.ParseNumber(e.part[2].tok); !ok {
			return true
		}
	}
	return slices.Contains(NodeHeaders, strings.ToLower(string(e.part[0].tok)+" "+string(e.part[1].tok)))
}

// NodeHeaders are the names that the two columns of nodes surely have in a first line.
var NodeHeaders = []string{"source target", "src dst", "src dest", "from to", "node1 node2", "node_1 node_2", "nodea nodeb", "protein1 protein2", "gene1 gene2"}

func (e *edgeReader) parseWeight(s span) (float64, error) {
	w, ok := scan.ParseNumber(s.tok)
	if !ok {
		return 0, e.Refusef(s.lo, "", "weight %s is not a number", source.Clip(s.tok))
	}
	if w-w != 0 {
		return 0, e.Refusef(s.lo, "", "weight %s is not finite", source.Clip(s.tok))
	}
	if w < 0 {
		return 0, e.Refusef(s.lo, "", "weight %s is negative, weights must be above 0", source.Clip(s.tok))
	}
	return w, nil
}
