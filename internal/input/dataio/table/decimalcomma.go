package table

import (
	"bytes"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// decimalCommas reports whether the numbers of a table have commas for points:
// in its first rows one must be clearly such (1,5 but not 1,500, which may be
// thousands), and none may have a point that is no sign of thousands. Where
// commas divide the cells they divide no numbers.
func (t *Table) decimalCommas(text []byte) bool {
	const rows = 1000
	if t.Delim == ',' {
		return false
	}
	clear := false
	var cells []Cell
	for i, n := 0, 0; i < len(text) && n < rows; n++ {
		if k := t.EmptyLine(text, i); k > 0 {
			i += k
			continue
		}
		var err *source.Error
		if cells, i, _, err = t.SplitRecord(text, i, cells[:0]); err != nil || len(cells) != len(t.roles) {
			break
		}
		for j, c := range cells {
			s := c.TextIn(text)
			if t.roles[j] != feature {
				continue
			}
			_, ok, sure := ParseDecimalComma(s)
			if !ok && bytes.IndexByte(s, '.') >= 0 && isNumber(s) {
				return false
			}
			clear = clear || sure
		}
	}
	return clear
}

// commaCell reports whether a cell is surely a number with a comma.
func (t *Table) commaCell(s []byte) bool {
	_, _, sure := ParseDecimalComma(s)
	return sure && t.Delim != ','
}

func isNumber(s []byte) bool {
	_, next := scan.ScanFloat(s, 0)
	return next == len(s) && next > 0
}

// ParseDecimalComma reads s as a number with a comma for the point and, before it,
// points between thousands: it returns the number as others write it, whether
// it is one, and whether it surely is meant so.
func ParseDecimalComma(s []byte) (plain []byte, ok, sure bool) {
	whole, part, comma := bytes.Cut(s, []byte{','})
	digits := bytes.TrimLeft(whole, "+-")
	groups := bytes.Split(digits, []byte{'.'})
	for g, d := range groups {
		_, all := scan.ParseNatural(d)
		if len(groups) > 1 && (!all || len(d) > 3 || g > 0 && len(d) < 3) {
			return nil, false, false
		}
	}
	if len(whole)-len(digits) > 1 || comma && len(part) == 0 {
		return nil, false, false
	}
	plain = append(plain, whole[:len(whole)-len(digits)]...)
	for _, d := range groups {
		plain = append(plain, d...)
	}
	if comma {
		plain = append(append(plain, '.'), part...)
	}
	thousands := len(part) == 3 && len(digits) <= 3 && !bytes.HasPrefix(digits, []byte{'0'})
	return plain, isNumber(plain), comma && (!thousands || len(groups) > 1) && isNumber(plain)
}
