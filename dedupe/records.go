package dedupe

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Records are the records of a table, by field: Cells[f][i] is the cell of record i in
// the field Fields[f]. An empty cell is missing. Kinds[f] says what the cells of the field are, one of
// the names that Kinds returns; where it is empty or there are none, the cells decide.
type Records struct {
	Fields []string
	Cells  [][]string
	Kinds  []string
}

// Len returns the number of records.
func (r *Records) Len() int {
	if r == nil || len(r.Cells) == 0 {
		return 0
	}
	return len(r.Cells[0])
}

// A RecordsError refuses records.
type RecordsError struct {
	Msg  string
	Hint string
}

func (e *RecordsError) Error() string { return e.Msg }

// Advice returns the hint of e.
func (e *RecordsError) Advice() string { return e.Hint }

// check refuses records without fields or with columns of different lengths.
func (r *Records) check() error {
	if r == nil || len(r.Fields) == 0 {
		return &RecordsError{"the records have no fields", "name the columns to compare with {fields}"}
	}
	if len(r.Cells) != len(r.Fields) {
		return &RecordsError{Msg: fmt.Sprintf("%d fields but %d columns of cells", len(r.Fields), len(r.Cells))}
	}
	for f, c := range r.Cells {
		if len(c) != len(r.Cells[0]) {
			return &RecordsError{Msg: fmt.Sprintf("field %s has %d cells, field %s has %d", r.Fields[f], len(c), r.Fields[0], len(r.Cells[0]))}
		}
	}
	return nil
}

// A value is what a cell says, normalised. Equal values have one number, whatever
// their fields and the order of their tokens.
type value struct {
	tokens []int32 // in their order
	sorted []int32 // ascending, for counting common ones
	weight float64 // the sum of the inverse document frequencies of the tokens
	joined []rune  // all tokens without blanks
	count  int32   // cells of distinct records that say it
	digits bool
	prose  bool // of a field of texts, so that numbers in it count something
	kind   kind
	number float64 // of a number, and of a date as yyyymmdd
}

// A token is a word or a number of some cells.
type token struct {
	runes  []rune
	mask   uint64 // which runes occur, by hash: a bound on the edit distance
	weight float64
	count  int32 // cells of distinct records that hold it
	hash   uint64
	counts bool    // see isCount
	nick   []int16 // the groups of first names that it belongs to
}

// distinct are the records that differ from each other after normalising.
type distinct struct {
	fields int
	kinds  []kind
	cells  []int32 // values by record and field, −1 where missing
	of     []int32 // the distinct record of each record
	copies [][]int32
	values []value
	tokens []token
	filled []int // records with a value, by field
	shown  []int // distinct records with a value, by field
	rows   int
}

func (d *distinct) len() int { return len(d.copies) }

// valuesOf returns the values of distinct record u by field.
func (d *distinct) valuesOf(u int32) []int32 {
	return d.cells[int(u)*d.fields : (int(u)+1)*d.fields]
}

// newDistinct normalises the records.
func newDistinct(ctx context.Context, r *Records, workers int) (*distinct, error) {
	n, nf := r.Len(), len(r.Fields)
	kinds, err := r.kindsOf()
	if err != nil {
		return nil, err
	}
	days := make([]bool, nf)
	for f, k := range kinds {
		days[f] = k == date && dayFirst(r.Cells[f])
	}
	d := &distinct{fields: nf, kinds: kinds, of: make([]int32, n), filled: make([]int, nf), shown: make([]int, nf), rows: n}
	values, tokens, records := map[string]int32{}, map[string]int32{}, map[string]int32{}
	key := make([]byte, 4*nf)
	row := make([]int32, nf)
	block := func(lo, hi int) []normalised {
		out := make([]normalised, 0, (hi-lo)*nf)
		for i := lo; i < hi; i++ {
			for f := range nf {
				out = append(out, normaliseAs(r.Cells[f][i], kinds[f], days[f]))
			}
		}
		return out
	}
	err = blocks.Each(ctx, workers, n, block, func(lo, hi int, part []normalised) {
		for i := lo; i < hi; i++ {
			for f := range nf {
				row[f] = d.enter(part[(i-lo)*nf+f], values, tokens)
				if row[f] >= 0 {
					d.filled[f]++
				}
				binary.LittleEndian.PutUint32(key[4*f:], uint32(row[f]))
			}
			u, known := records[string(key)]
			if !known {
				u = int32(len(d.copies))
				records[string(key)] = u
				d.copies = append(d.copies, nil)
				d.cells = append(d.cells, row...)
				d.count(row)
			}
			d.of[i] = u
			d.copies[u] = append(d.copies[u], int32(i))
		}
	})
	if err != nil {
		return nil, err
	}
	d.weigh()
	return d, nil
}

// normaliseAs returns a cell of kind k; what cannot be read as its kind is a text.
func normaliseAs(cell string, k kind, days bool) normalised {
	n := normalise(cell, k)
	if len(n.tokens) == 0 {
		return n
	}
	n.prose = k == text
	switch k {
	case date:
		if v, ok := parseDate(strings.TrimSpace(cell), days); ok {
			n.kind, n.value = date, float64(v)
			n.tokens = []string{strconv.Itoa(v)}
			return n
		}
	case number:
		if v, ok := parseNumber(cell); ok {
			n.kind, n.value = number, v
			n.tokens = []string{strconv.FormatFloat(v, 'g', 12, 64)}
			return n
		}
	case email:
		if isEmail(strings.TrimSpace(cell)) {
			n.kind = email
		}
	case phone:
		if n.digits {
			n.kind = phone
			n.tokens[0] = nationalDigits(strings.TrimSpace(cell), n.tokens[0])
		}
	case person, address, code:
		n.kind = k
	}
	if n.kind == person { // compared crosswise with texts
		n.kind = text
	}
	return n
}

// nationalDigits takes an international prefix off the digits of a phone number where the writing
// shows one: +49 89 1234567 and 0049 89 1234567 are 089 1234567. Country codes have one
// to three digits; where a blank or a bracket follows, it is known how many.
func nationalDigits(cell, digits string) string {
	rest, ok := strings.CutPrefix(cell, "+")
	if !ok {
		if rest, ok = strings.CutPrefix(cell, "00"); !ok {
			return digits
		}
	}
	if at := strings.IndexAny(rest, " -(/."); at >= 1 && at <= 3 && len(digits) > at+5 {
		return strings.TrimLeft(digits[at:], "0")
	}
	return digits
}

// enter returns the number of a value, −1 where it is missing.
func (d *distinct) enter(c normalised, values, tokens map[string]int32) int32 {
	if len(c.tokens) == 0 {
		return -1
	}
	key := c.tokens[0]
	if len(c.tokens) > 1 { // "Lind, Anna" and "Anna Lind" are one value, and so are a date in two orders
		key = strings.Join(slices.Sorted(slices.Values(c.tokens)), " ")
	}
	switch c.kind {
	case date, number: // written in several ways
		key = c.kind.String() + ":" + strconv.FormatFloat(c.value, 'g', 12, 64)
	case email, address, phone, code:
		key = c.kind.String() + ":" + key
	}
	v, known := values[key]
	if !known {
		v = int32(len(d.values))
		values[key] = v
		made := value{digits: c.digits, prose: c.prose, kind: c.kind, number: c.value, tokens: make([]int32, len(c.tokens))}
		for i, text := range c.tokens {
			t, known := tokens[text]
			if !known {
				t = int32(len(d.tokens))
				tokens[text] = t
				d.tokens = append(d.tokens, newToken(text))
			}
			made.tokens[i] = t
		}
		made.sorted = sortedSet(made.tokens)
		for _, t := range made.tokens {
			if len(made.joined) < maxJoined {
				made.joined = append(made.joined, d.tokens[t].runes...)
			}
		}
		d.values = append(d.values, made)
	}
	return v
}

// count counts the values of a distinct record and their tokens. Copies do not count: they
// do not make a value frequent among different people.
func (d *distinct) count(row []int32) {
	for f, v := range row {
		if v < 0 {
			continue
		}
		d.shown[f]++
		d.values[v].count++
		for _, t := range d.values[v].sorted {
			d.tokens[t].count++
		}
	}
}

func newToken(text string) token {
	t := token{runes: []rune(text), hash: hashString(text), counts: isCount(text), nick: nicknames[text]}
	for _, r := range t.runes {
		t.mask |= 1 << (uint32(r) * 2654435761 >> 26)
	}
	return t
}

// weigh computes the inverse document frequencies.
func (d *distinct) weigh() {
	for i := range d.tokens {
		t := &d.tokens[i]
		t.weight = logOf(1 + float64(d.len())/float64(t.count))
	}
	for i := range d.values {
		v := &d.values[i]
		for _, t := range v.tokens {
			v.weight += d.tokens[t].weight
		}
	}
}

func hashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h)
}

// mix spreads the bits of a hash.
func mix(h uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}
