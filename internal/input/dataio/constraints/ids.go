package constraints

import (
	"bytes"
	"hash/maphash"
	"math"
	"slices"
	"strconv"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
)

// rowIDs are the names of rows, kept as small as they allow: 0, 1, 2, … as their
// number alone, whole numbers as integers, anything else as text.
type rowIDs struct {
	n    int
	nums []int64     // set where the ids are whole numbers that do not just count
	text *scan.Arena // set where some are not whole numbers

	// Made when needed: rows by hash, or, for numbers not much larger than
	// there are rows, by the number itself, plus 1.
	seed   maphash.Seed
	find   *scan.RowIndex
	direct []int32
}

// wholeNumber parses an id that strconv.Itoa could have written: "7", not
// "07", "+7" or "-0". Those stay text: ids are matched as given.
func wholeNumber(b []byte) (int64, bool) {
	if len(b) == 0 || len(b) > 18 || b[0] == '0' && len(b) > 1 {
		return 0, false
	}
	var y int64
	for _, c := range b {
		c -= '0'
		if c > 9 {
			return 0, false
		}
		y = y*10 + int64(c)
	}
	return y, true
}

// idAt returns id i.
func (s *rowIDs) idAt(i int) string {
	switch {
	case s.text != nil:
		return string(s.text.TextAt(i))
	case s.nums != nil:
		return strconv.FormatInt(s.nums[i], 10)
	}
	return strconv.Itoa(i)
}

// addNums appends whole numbers.
func (s *rowIDs) addNums(nums []int64, done float64) {
	switch {
	case s.text != nil:
		for _, y := range nums {
			s.text.AddNumber(y)
		}
	case s.nums != nil || !areConsecutive(nums, s.n):
		s.spellNumbers(done)
		s.nums = append(scan.Grow(s.nums, len(nums), done), nums...)
	}
	s.n += len(nums)
}

// addText appends ids that are not all whole numbers.
func (s *rowIDs) addText(a *scan.Arena, done float64) {
	if s.text == nil {
		t := &scan.Arena{}
		for i := range s.n {
			t.AddText([]byte(s.idAt(i)))
		}
		s.text, s.nums = t, nil
	}
	base := len(s.text.Buf)
	s.text.Buf = append(scan.Grow(s.text.Buf, len(a.Buf), done), a.Buf...)
	s.text.End = scan.Grow(s.text.End, len(a.End), done)
	for _, end := range a.End {
		s.text.End = append(s.text.End, base+end)
	}
	s.n += len(a.End)
}

// ahead returns how many bytes are taken for ids still to come.
func (s *rowIDs) ahead() int64 {
	if s.text != nil {
		return scan.Ahead(s.text.Buf) + scan.Ahead(s.text.End)
	}
	return scan.Ahead(s.nums)
}

// spellNumbers writes out as numbers the rows that only counted so far.
func (s *rowIDs) spellNumbers(done float64) {
	if s.nums != nil {
		return
	}
	s.nums = scan.Grow([]int64{}, s.n+1, done)
	for i := range s.n {
		s.nums = append(s.nums, int64(i))
	}
}

// areConsecutive reports whether nums are from, from+1, …
func areConsecutive(nums []int64, from int) bool {
	for i, y := range nums {
		if y != int64(from+i) {
			return false
		}
	}
	return true
}

// firstDuplicate returns the first row j whose id row i < j has already.
func (s *rowIDs) firstDuplicate() (i, j int, ok bool) {
	if s.text == nil && (s.nums == nil || areAscending(s.nums)) {
		return 0, 0, false
	}
	return s.buildIndex()
}

func areAscending(nums []int64) bool {
	for i := 1; i < len(nums); i++ {
		if nums[i] <= nums[i-1] {
			return false
		}
	}
	return true
}

// buildIndex fills the table that rowNum and rowText look in, and returns the
// first duplicate.
func (s *rowIDs) buildIndex() (i, j int, ok bool) {
	switch {
	case s.text != nil:
		s.seed = maphash.MakeSeed()
		s.find = scan.NewRowIndex(s.n)
		for j := range s.n {
			b := s.text.TextAt(j)
			if i := s.find.Insert(j, maphash.Bytes(s.seed, b), func(i int) bool { return bytes.Equal(s.text.TextAt(i), b) }); i != j {
				return i, j, true
			}
		}
	case slices.Max(s.nums) < int64(4*s.n+64):
		s.direct = make([]int32, slices.Max(s.nums)+1)
		for j, y := range s.nums {
			if i := s.direct[y]; i > 0 {
				return int(i) - 1, j, true
			}
			s.direct[y] = int32(j + 1)
		}
	default:
		s.find = scan.NewRowIndex(s.n)
		for j, y := range s.nums {
			if i := s.find.Insert(j, hashNumber(y), func(i int) bool { return s.nums[i] == y }); i != j {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// ensureIndex makes the tables for looking up rows.
func (s *rowIDs) ensureIndex() {
	if s.find == nil && s.direct == nil && (s.nums != nil || s.text != nil) {
		s.buildIndex()
	}
}

// hashNumber spreads a number over 64 bits; the high ones are used.
func hashNumber(y int64) uint64 {
	h := uint64(y) * 0x9e3779b97f4a7c15
	return (h ^ h>>32) * 0xd6e8feb86659fd93
}

// rowNum and rowText return the row with an id, or -1, once s is ready.
func (s *rowIDs) rowNum(y int64) int {
	switch {
	case s.text != nil:
		return s.rowText(strconv.AppendInt(nil, y, 10))
	case s.direct != nil:
		if y < int64(len(s.direct)) {
			return int(s.direct[y]) - 1
		}
		return -1
	case s.nums != nil:
		return s.find.Find(hashNumber(y), func(i int) bool { return s.nums[i] == y })
	case y < int64(s.n):
		return int(y)
	}
	return -1
}

func (s *rowIDs) rowText(b []byte) int {
	if s.text == nil {
		if y, ok := wholeNumber(b); ok {
			return s.rowNum(y)
		}
		return -1
	}
	return s.find.Find(maphash.Bytes(s.seed, b), func(i int) bool { return bytes.Equal(s.text.TextAt(i), b) })
}

// equals reports whether s and t are the same ids in the same order.
func (s *rowIDs) equals(t *rowIDs) bool {
	if s.n != t.n || (s.text == nil) != (t.text == nil) || (s.nums == nil) != (t.nums == nil) {
		return false
	}
	if s.text != nil {
		return bytes.Equal(s.text.Buf, t.text.Buf) && slices.Equal(s.text.End, t.text.End)
	}
	return slices.Equal(s.nums, t.nums)
}

// rowOfID returns the row of t that has the id of row i of s, or -1.
func (s *rowIDs) rowOfID(t *rowIDs, i int) int {
	switch {
	case s.text != nil:
		return t.rowText(s.text.TextAt(i))
	case s.nums != nil:
		return t.rowNum(s.nums[i])
	}
	return t.rowNum(int64(i))
}

const maxRows = math.MaxInt32 - 1
