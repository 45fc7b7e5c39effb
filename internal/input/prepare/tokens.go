package prepare

import (
	"unicode"
	"unicode/utf8"
)

// Words calls do with each word of text in turn, in lower case; do must not
// keep or change the slice.
//
// A word is a longest run of Unicode letters and digits, with the marks that
// follow them. An apostrophe, straight or curly, between two letters belongs
// to the word and is handed on straight (don't); a soft hyphen inside a word
// is left out of it. A Han or Hiragana character is a word by itself, since
// these scripts put no space between words. Everything else separates.
func Words(text string, do func(word []byte)) {
	c := cutter{word: make([]byte, 0, 64), do: do}
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf { // the usual case, kept quick
			i++
			switch l := ascii[b]; {
			case l >= 'a':
				c.join(true)
				c.word = append(c.word, l)
			case l >= '0':
				c.join(false)
				c.word = append(c.word, l)
			case l == '\'':
				c.apostrophe()
			default:
				c.flush()
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		c.put(r)
		i += size
	}
	c.flush()
}

// maxNGrams is how many words a term can have, pairMinDF in how many documents one of two
// must stand: others cannot bring two documents together.
const (
	maxNGrams = 2
	pairMinDF = 2
)

// terms calls do with each word of text and, if n is 2, with each word and the one after it,
// with a space between them; do must not keep or change the slice.
func terms(text string, n int, do func(term []byte)) {
	if n < 2 {
		Words(text, do)
		return
	}
	var pair []byte // the word before, then both
	Words(text, func(w []byte) {
		do(w)
		if len(pair) > 0 {
			pair = append(append(pair, ' '), w...)
			do(pair)
		}
		pair = append(pair[:0], w...)
	})
}

// A cutter holds the word that is being read.
type cutter struct {
	word   []byte
	letter bool // its last rune is a letter, with or without marks
	quote  bool // an apostrophe came after it: ours if a letter follows
	do     func([]byte)
}

func (c *cutter) flush() {
	if len(c.word) > 0 {
		c.do(c.word)
	}
	c.word, c.quote, c.letter = c.word[:0], false, false
}

// join makes ready to append a letter or a digit.
func (c *cutter) join(letter bool) {
	if c.quote && letter {
		c.word = append(c.word, '\'')
	} else if c.quote {
		c.flush()
	}
	c.quote, c.letter = false, letter
}

func (c *cutter) apostrophe() {
	if c.letter && !c.quote {
		c.quote = true
	} else {
		c.flush()
	}
}

// put takes in a rune beyond ASCII.
func (c *cutter) put(r rune) {
	switch k := classOf(r); {
	case k == letterRune || k == digitRune:
		c.join(k == letterRune)
		c.word = utf8.AppendRune(c.word, unicode.ToLower(r))
	case k == mark && len(c.word) > 0 && !c.quote:
		c.word = utf8.AppendRune(c.word, r)
	case k == ignored && !c.quote:
	case k == apostrophe:
		c.apostrophe()
	case k == alone:
		c.flush()
		c.word = utf8.AppendRune(c.word, r)
		c.flush()
	default:
		c.flush()
	}
}

type class int

const (
	separator class = iota
	letterRune
	digitRune
	mark
	apostrophe
	ignored
	alone
)

// classOf returns what a rune beyond ASCII is to a word.
func classOf(r rune) class {
	switch {
	case r == '’' || r == 'ʼ':
		return apostrophe
	case r == '\u00AD':
		return ignored
	case unicode.In(r, unicode.Han, unicode.Hiragana) && unicode.IsLetter(r):
		return alone
	case unicode.IsLetter(r):
		return letterRune
	case unicode.IsNumber(r):
		return digitRune
	case unicode.IsMark(r):
		return mark
	}
	return separator
}

// ascii maps letters to lower case, digits and the apostrophe to themselves
// and all else to 0.
var ascii = func() (t [utf8.RuneSelf]byte) {
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c, c
	}
	t['\''] = '\''
	return t
}()
