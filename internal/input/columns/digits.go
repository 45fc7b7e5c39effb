package columns

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// otherSigns are signs of other scripts that stand in numbers, and letters that Unicode has for a whole unit, as one writes them elsewhere.
var otherSigns = map[rune]string{'٫': ".", '٬': ",", '٪': "%", '．': ".", '，': ",", '％': "%", '－': "-", '＋': "+", '：': ":", '～': "~", '〜': "~", '／': "/", '（': "(", '）': ")", '￥': "¥", '＄': "$", '￡': "£",
	'㎡': "m²", '㎢': "km²", '㎠': "cm²", '㎟': "mm²", '㎥': "m³", '㎤': "cm³", '㎞': "km", '㎝': "cm", '㎜': "mm", '㎏': "kg", '㎎': "mg", '㎍': "µg", '㎖': "ml", '㎗': "dl", 'ℓ': "l", '㍑': "l", '㏄': "cm³", '㎐': "Hz", '㎑': "kHz", '㎒': "MHz", '㎓': "GHz",
	'㎾': "kW", '㏊': "ha", '㎩': "Pa", '㎪': "kPa", '㍱': "hPa", '㎧': "m/s", '\u200e': "", '\u200f': "", '\u061c': ""}

// plainDigits returns s with the digits 0 to 9 for those of other scripts, such as ٣ and ３.
func plainDigits(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] < utf8.RuneSelf
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if sign, ok := otherSigns[r]; ok {
			b.WriteString(sign)
		} else if r >= utf8.RuneSelf && unicode.IsDigit(r) {
			b.WriteByte('0' + digitOf(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// digitOf returns the value of a decimal digit: Unicode has them in rows of ten, from 0 on.
func digitOf(r rune) byte {
	for _, block := range unicode.Nd.R16 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return byte((r - rune(block.Lo)) % 10)
		}
	}
	for _, block := range unicode.Nd.R32 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return byte((r - rune(block.Lo)) % 10)
		}
	}
	return 0
}
