package table

import (
	"bytes"
)

// SniffDelimiter returns the one of , ; tab | that stands most often in the
// first line, outside quotes; but not the comma where it stands within numbers
// that another one divides.
func SniffDelimiter(text []byte) byte {
	const among = ",;\t|"
	var count [len(among)]int
	open := false
	for _, c := range text {
		if c == '"' {
			open = !open
		}
		if open {
			continue
		}
		if c == '\n' {
			break
		}
		for k := range among {
			if c == among[k] {
				count[k]++
			}
		}
	}
	best := 0
	for k := range count {
		if count[k] > count[best] {
			best = k
		}
	}
	for k := 1; k < len(among) && best == 0; k++ {
		if count[k] > 0 && allNumbers(text, among[k]) {
			best = k
		}
	}
	return among[best]
}

// allNumbers reports whether the first line is numbers, with points or commas,
// with delim between them.
func allNumbers(text []byte, delim byte) bool {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	for _, s := range bytes.Split(line, []byte{delim}) {
		s = bytes.TrimSpace(s)
		if _, ok, _ := ParseDecimalComma(s); !ok && !isNumber(s) {
			return false
		}
	}
	return true
}
