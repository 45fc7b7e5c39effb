package dataio

import (
	"bytes"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
)

// ids are the names of rows, kept as small as they allow: 0, 1, 2, … as their
// number alone, whole numbers as integers, anything else as text.
type ids struct {
	n    int
	nums []int64 // set where the ids are whole numbers that do not just count
	text *arena  // set where some are not whole numbers

	// Made when needed: rows by hash, or, for numbers not much larger than
	// there are rows, by the number itself, plus 1.
	seed   maphash.Seed
	find   *hashTable
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

// at returns id i.
func (s *ids) at(i int) string {
	switch {
	case s.text != nil:
		return string(s.text.at(i))
	case s.nums != nil:
		return strconv.FormatInt(s.nums[i], 10)
	}
	return strconv.Itoa(i)
}

func (a *arena) at(i int) []byte {
	from := 0
	if i > 0 {
		from = a.end[i-1]
	}
	return a.buf[from:a.end[i]]
}

func (a *arena) addNum(y int64) {
	a.buf = strconv.AppendInt(a.buf, y, 10)
	a.end = append(a.end, len(a.buf))
}

// addNums appends whole numbers.
func (s *ids) addNums(nums []int64, done float64) {
	switch {
	case s.text != nil:
		for _, y := range nums {
			s.text.addNum(y)
		}
	case s.nums != nil || !counts(nums, s.n):
		s.spell(done)
		s.nums = append(grow(s.nums, len(nums), done), nums...)
	}
	s.n += len(nums)
}

// addText appends ids that are not all whole numbers.
func (s *ids) addText(a *arena, done float64) {
	if s.text == nil {
		t := &arena{}
		for i := range s.n {
			t.add([]byte(s.at(i)))
		}
		s.text, s.nums = t, nil
	}
	base := len(s.text.buf)
	s.text.buf = append(grow(s.text.buf, len(a.buf), done), a.buf...)
	s.text.end = grow(s.text.end, len(a.end), done)
	for _, end := range a.end {
		s.text.end = append(s.text.end, base+end)
	}
	s.n += len(a.end)
}

// spell writes out as numbers the rows that only counted so far.
func (s *ids) spell(done float64) {
	if s.nums != nil {
		return
	}
	s.nums = grow([]int64{}, s.n+1, done)
	for i := range s.n {
		s.nums = append(s.nums, int64(i))
	}
}

// counts reports whether nums are from, from+1, …
func counts(nums []int64, from int) bool {
	for i, y := range nums {
		if y != int64(from+i) {
			return false
		}
	}
	return true
}

// duplicate returns the first row j whose id row i < j has already.
func (s *ids) duplicate() (i, j int, ok bool) {
	if s.text == nil && (s.nums == nil || rising(s.nums)) {
		return 0, 0, false
	}
	return s.index()
}

func rising(nums []int64) bool {
	for i := 1; i < len(nums); i++ {
		if nums[i] <= nums[i-1] {
			return false
		}
	}
	return true
}

// index fills the table that rowNum and rowText look in, and returns the
// first duplicate.
func (s *ids) index() (i, j int, ok bool) {
	switch {
	case s.text != nil:
		s.seed = maphash.MakeSeed()
		s.find = newHashTable(s.n)
		for j := range s.n {
			b := s.text.at(j)
			if i := s.find.put(j, maphash.Bytes(s.seed, b), func(i int) bool { return bytes.Equal(s.text.at(i), b) }); i != j {
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
		s.find = newHashTable(s.n)
		for j, y := range s.nums {
			if i := s.find.put(j, mix(y), func(i int) bool { return s.nums[i] == y }); i != j {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// ready makes the tables for looking up rows.
func (s *ids) ready() {
	if s.find == nil && s.direct == nil && (s.nums != nil || s.text != nil) {
		s.index()
	}
}

// mix spreads a number over 64 bits; the high ones are used.
func mix(y int64) uint64 {
	h := uint64(y) * 0x9e3779b97f4a7c15
	return (h ^ h>>32) * 0xd6e8feb86659fd93
}

// rowNum and rowText return the row with an id, or -1, once s is ready.
func (s *ids) rowNum(y int64) int {
	switch {
	case s.text != nil:
		return s.rowText(strconv.AppendInt(nil, y, 10))
	case s.direct != nil:
		if y < int64(len(s.direct)) {
			return int(s.direct[y]) - 1
		}
		return -1
	case s.nums != nil:
		return s.find.get(mix(y), func(i int) bool { return s.nums[i] == y })
	case y < int64(s.n):
		return int(y)
	}
	return -1
}

func (s *ids) rowText(b []byte) int {
	if s.text == nil {
		if y, ok := wholeNumber(b); ok {
			return s.rowNum(y)
		}
		return -1
	}
	return s.find.get(maphash.Bytes(s.seed, b), func(i int) bool { return bytes.Equal(s.text.at(i), b) })
}

// equal reports whether s and t are the same ids in the same order.
func (s *ids) equal(t *ids) bool {
	if s.n != t.n || (s.text == nil) != (t.text == nil) || (s.nums == nil) != (t.nums == nil) {
		return false
	}
	if s.text != nil {
		return bytes.Equal(s.text.buf, t.text.buf) && slices.Equal(s.text.end, t.text.end)
	}
	return slices.Equal(s.nums, t.nums)
}

// in returns the row of t that has the id of row i of s, or -1.
func (s *ids) in(t *ids, i int) int {
	switch {
	case s.text != nil:
		return t.rowText(s.text.at(i))
	case s.nums != nil:
		return t.rowNum(s.nums[i])
	}
	return t.rowNum(int64(i))
}

const maxRows = math.MaxInt32 - 1
