package columns

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Conversion brings a value to the unit of its column: Factor·x + Offset.
type Conversion struct {
	Factor float64 `json:"factor"`
	Offset float64 `json:"offset,omitempty"`
}

// A unit is a multiple of the base unit of a dimension; offset is for temperatures.
type unit struct {
	dimension      string
	factor, offset float64
}

// maxUnit bounds the letters of a unit.
const maxUnit = 12

// currencies are the signs and codes that may stand before or after a number, the longer
// of two that begin alike first.
var currencies = []string{"US$", "CA$", "AU$", "HK$", "NZ$", "R$", "A$", "C$", "S$", "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₪", "₫", "₴", "฿", "₦", "₱",
	"USD", "EUR", "GBP", "CHF", "JPY", "CNY", "RMB", "INR", "RUB", "KRW", "TRY", "ILS", "PLN", "CZK", "HUF", "RON", "BGN", "SEK", "NOK", "DKK", "ISK", "AUD", "CAD",
	"NZD", "SGD", "HKD", "BRL", "MXN", "ARS", "CLP", "COP", "ZAR", "AED", "SAR", "THB", "UAH", "zł", "Kč", "Ft", "Fr.", "SFr.", "kr.", "kr", "Rs.", "Rs", "руб.", "руб", "元", "円", "원", "ر.س", "د.إ", "Euro", "euros", "euro", "Dollar", "dollars"}

// multiples are short forms of thousands and millions; a dimension of their own where they
// stand without a currency.
var multiples = map[string]float64{"k": 1e3, "K": 1e3, "tsd": 1e3, "tsd.": 1e3, "Tsd": 1e3, "Tsd.": 1e3, "T": 1e3, "thousand": 1e3, "mil": 1e3, "M": 1e6, "mn": 1e6, "Mio": 1e6, "Mio.": 1e6, "mio": 1e6, "mio.": 1e6,
	"million": 1e6, "millions": 1e6, "Million": 1e6, "Millionen": 1e6, "B": 1e9, "bn": 1e9, "Mrd": 1e9, "Mrd.": 1e9, "mrd": 1e9, "billion": 1e9,
	"mln": 1e6, "mln.": 1e6, "Mln": 1e6, "Mln.": 1e6, "milioni": 1e6, "millones": 1e6, "milhões": 1e6, "milj": 1e6, "milj.": 1e6, "mill.": 1e6, "млн": 1e6, "млн.": 1e6,
	"mila": 1e3, "tys": 1e3, "tys.": 1e3, "tis.": 1e3, "тыс": 1e3, "тыс.": 1e3, "千": 1e3, "万": 1e4, "億": 1e8, "亿": 1e8, "만": 1e4, "억": 1e8, "mld": 1e9, "mld.": 1e9, "Mld": 1e9, "Mld.": 1e9, "млрд": 1e9,
	"lakh": 1e5, "Lakh": 1e5, "lakhs": 1e5, "Lakhs": 1e5, "lac": 1e5, "Lac": 1e5, "lacs": 1e5, "Lacs": 1e5, "crore": 1e7, "Crore": 1e7, "crores": 1e7, "Crores": 1e7}

// indian are short forms of lakhs and crores, which mean something else where no rupees and not both stand.
var indian = map[string]float64{"L": 1e5, "Cr": 1e7, "Cr.": 1e7, "cr": 1e7}

var rupees = split("₹ Rs Rs. INR")

// multipleOf returns the multiple that a unit is; 0 where it is none. crores says that short forms of lakhs and crores count.
func multipleOf(u string, crores bool) float64 {
	if crores && indian[u] > 0 {
		return indian[u]
	}
	return multiples[u]
}

// haveCrores reports whether amounts in lakhs and in crores stand beside each other.
func haveCrores(units map[string]int) bool {
	lakhs, crores := false, false
	for u := range units {
		lakhs = lakhs || multipleOf(u, true) == 1e5
		crores = crores || multipleOf(u, true) == 1e7
	}
	return lakhs && crores
}

// sizes are the letters that sizes of files have where no unit follows: 24K, 1.3M, 2.1G.
var sizes = map[string]float64{"B": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}

// outOf are the most of marks such as 7.8/10.
var outOf = map[string]float64{"/5": 5, "/ 5": 5, "/6": 6, "/10": 10, "/ 10": 10, "/20": 20, "/ 20": 20, "/100": 100, "/ 100": 100}

// prefixes of SI units.
var prefixes = map[string]float64{"p": 1e-12, "n": 1e-9, "µ": 1e-6, "μ": 1e-6, "u": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1, "h": 1e2, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}

// bases are the units that take prefixes.
var bases = map[string]unit{"m": {"length", 1, 0}, "g": {"mass", 1, 0}, "s": {"time", 1, 0}, "l": {"volume", 1e-3, 0}, "L": {"volume", 1e-3, 0}, "A": {"current", 1, 0},
	"V": {"voltage", 1, 0}, "W": {"power", 1, 0}, "Hz": {"frequency", 1, 0}, "Pa": {"pressure", 1, 0}, "bar": {"pressure", 1e5, 0}, "J": {"energy", 1, 0}, "Wh": {"energy", 3600, 0},
	"cal": {"energy", 4.184, 0}, "N": {"force", 1, 0}, "mol": {"amount", 1, 0}, "B": {"bytes", 1, 0}, "bit": {"bits", 1, 0}, "M": {"amount/volume", 1e3, 0}, "bps": {"bits/time", 1, 0}, "eV": {"electronvolt", 1, 0}, "U": {"units", 1, 0},
	"IU": {"units", 1, 0}, "Ω": {"resistance", 1, 0}, "F": {"capacity", 1, 0}, "lx": {"lux", 1, 0}, "Sv": {"sievert", 1, 0}}

// others are units without prefixes.
var others = map[string]unit{"кг": {"mass", 1e3, 0}, "г": {"mass", 1, 0}, "гр": {"mass", 1, 0}, "гр.": {"mass", 1, 0}, "мг": {"mass", 1e-3, 0}, "т": {"mass", 1e6, 0}, "км": {"length", 1e3, 0}, "м": {"length", 1, 0}, "см": {"length", .01, 0}, "мм": {"length", 1e-3, 0},
	"л": {"volume", 1e-3, 0}, "мл": {"volume", 1e-6, 0}, "га": {"area", 1e4, 0}, "м²": {"area", 1, 0}, "м2": {"area", 1, 0}, "км²": {"area", 1e6, 0}, "кв.м": {"area", 1, 0}, "кв. м": {"area", 1, 0}, "м³": {"volume", 1, 0}, "м3": {"volume", 1, 0},
	"公里": {"length", 1e3, 0}, "千米": {"length", 1e3, 0}, "米": {"length", 1, 0}, "厘米": {"length", .01, 0}, "毫米": {"length", 1e-3, 0}, "公斤": {"mass", 1e3, 0}, "千克": {"mass", 1e3, 0}, "克": {"mass", 1, 0}, "平米": {"area", 1, 0}, "平方米": {"area", 1, 0}, "坪": {"area", 3.305785, 0}, "평": {"area", 3.305785, 0},
	"t": {"mass", 1e6, 0}, "to": {"mass", 1e6, 0}, "lb": {"mass", 453.59237, 0}, "lbs": {"mass", 453.59237, 0}, "oz": {"mass", 28.349523125, 0}, "st": {"mass", 6350.29318, 0},
	"in": {"length", .0254, 0}, "inch": {"length", .0254, 0}, "inches": {"length", .0254, 0}, "\"": {"length", .0254, 0}, "″": {"length", .0254, 0}, "ft": {"length", .3048, 0}, "'": {"length", .3048, 0}, "yd": {"length", .9144, 0},
	"mi": {"length", 1609.344, 0}, "miles": {"length", 1609.344, 0}, "sec": {"time", 1, 0}, "secs": {"time", 1, 0}, "Sek": {"time", 1, 0}, "Sek.": {"time", 1, 0}, "sek": {"time", 1, 0}, "seconds": {"time", 1, 0}, "min": {"time", 60, 0}, "Min": {"time", 60, 0},
	"Min.": {"time", 60, 0}, "min.": {"time", 60, 0}, "mins": {"time", 60, 0}, "minutes": {"time", 60, 0}, "h": {"time", 3600, 0}, "hr": {"time", 3600, 0}, "hrs": {"time", 3600, 0}, "Std": {"time", 3600, 0}, "Std.": {"time", 3600, 0}, "hours": {"time", 3600, 0},
	"hour": {"time", 3600, 0}, "day": {"time", 86400, 0}, "days": {"time", 86400, 0}, "Tage": {"time", 86400, 0}, "jours": {"time", 86400, 0}, "días": {"time", 86400, 0}, "weeks": {"time", 604800, 0}, "years old": {"time", year, 0}, "year old": {"time", year, 0}, "yrs old": {"time", year, 0}, "y/o": {"time", year, 0},
	"ha": {"area", 1e4, 0}, "qm": {"area", 1, 0}, "sqm": {"area", 1, 0}, "sqft": {"area", .09290304, 0}, "sq ft": {"area", .09290304, 0}, "acres": {"area", 4046.8564224, 0}, "gal": {"volume", .003785411784, 0}, "ccm": {"volume", 1e-6, 0},
	"mph": {"length/time", .44704, 0}, "kmh": {"length/time", 1 / 3.6, 0}, "km/h": {"length/time", 1 / 3.6, 0}, "kn": {"length/time", .514444, 0}, "rpm": {"rpm", 1, 0}, "psi": {"pressure", 6894.757, 0}, "atm": {"pressure", 101325, 0},
	"mmHg": {"pressure", 133.322, 0}, "hp": {"power", 745.7, 0}, "PS": {"power", 735.49875, 0}, "°C": {"temperature", 1, 0}, "℃": {"temperature", 1, 0}, "°F": {"temperature", 5. / 9, -160. / 9}, "℉": {"temperature", 5. / 9, -160. / 9},
	"%": {"share", 1, 0}, "‰": {"share", .1, 0}, "ppm": {"share", 1e-4, 0}, "KiB": {"bytes", 1024, 0}, "MiB": {"bytes", 1 << 20, 0}, "GiB": {"bytes", 1 << 30, 0}, "TiB": {"bytes", 1 << 40, 0}, "°": {"angle", 1, 0}}

// unitOf returns a unit that has a known size.
func unitOf(s string) (unit, bool) {
	if u, ok := others[s]; ok {
		return u, true
	}
	if s == clockUnit {
		return unit{"time", second, 0}, true
	}
	if over, under, found := strings.Cut(s, "/"); found {
		a, okA := unitOf(over)
		b, okB := unitOf(under)
		if !okA || !okB || a.offset != 0 || b.offset != 0 {
			return unit{}, false
		}
		return unit{a.dimension + "/" + b.dimension, a.factor / b.factor, 0}, true
	}
	power := 1
	switch {
	case strings.HasSuffix(s, "²") || strings.HasSuffix(s, "³"):
		r, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
		power = map[rune]int{'²': 2, '³': 3}[r]
	case len(s) > 1 && strings.HasSuffix(s, "m2") || strings.HasSuffix(s, "m3"):
		power, s = int(s[len(s)-1]-'0'), s[:len(s)-1]
	}
	u, ok := bases[s]
	if !ok && power == 1 {
		if u, time := timeUnit(s); time {
			return u, true
		}
	}
	if !ok {
		_, size := utf8.DecodeRuneInString(s)
		var p float64
		if p, ok = prefixes[s[:size]]; ok {
			u, ok = bases[s[size:]]
			u.factor *= p
		}
	}
	if !ok || power > 1 && u.dimension != "length" {
		return unit{}, false
	}
	if power > 1 {
		u = unit{map[int]string{2: "area", 3: "volume"}[power], math.Pow(u.factor, float64(power)), 0}
	}
	return u, true
}

// convert returns how a value in one unit is brought to another of the same dimension.
func convert(from, to string) (Conversion, bool) {
	if outOf[from] > 0 && outOf[to] > 0 {
		return Conversion{Factor: outOf[to] / outOf[from]}, true
	}
	a, okA := unitOf(from)
	b, okB := unitOf(to)
	if from == to {
		return Conversion{Factor: 1}, true
	}
	if !okA || !okB || a.dimension != b.dimension {
		return Conversion{}, false
	}
	return Conversion{Factor: decimal(a.factor / b.factor), Offset: (a.offset - b.offset) / b.factor}, true
}

// decimal rounds to 14 digits, so that 0.75 l and 75 cl are the same number of millilitres.
func decimal(y float64) float64 {
	y, _ = strconv.ParseFloat(strconv.FormatFloat(y, 'g', 14, 64), 64)
	return y
}

// bring makes a unit that of the column: numbers without one have it then, others are converted. It reports whether that can be.
func (s *Spec) bring(to string) bool {
	if s.Unit == "" {
		s.Unit = to
		return true
	}
	c, ok := convert(s.Unit, to)
	if !ok {
		return false
	}
	units := map[string]Conversion{s.Unit: c}
	for u, first := range s.Units {
		units[u] = Conversion{Factor: first.Factor * c.Factor, Offset: first.Offset*c.Factor + c.Offset}
	}
	delete(units, to)
	s.Least = s.Least*c.Factor + c.Offset
	s.Unit, s.Units = to, units
	return true
}

// isCurrency reports whether a unit is a currency.
func isCurrency(s string) bool {
	for _, c := range currencies {
		if s == c {
			return true
		}
	}
	return false
}

// cutCurrency takes a currency off the front or the end of s.
func cutCurrency(s string, front bool) (rest, currency string) {
	for _, c := range currencies {
		if front {
			if after, ok := strings.CutPrefix(s, c); ok && !startsWithLetter(c, after) {
				return strings.TrimLeft(after, blanks), c
			}
		} else if before, ok := strings.CutSuffix(s, c); ok && (!endsWithLetter(before, c) || multiples[before] > 0 && len(before) > 2) {
			return strings.TrimRight(before, blanks), c
		}
	}
	return s, ""
}

// startsWithLetter reports whether a code of letters goes on after its end.
func startsWithLetter(code, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(code)
	next, _ := utf8.DecodeRuneInString(after)
	return unicode.IsLetter(last) && unicode.IsLetter(next)
}

// endsWithLetter reports whether letters stand right before a code of letters, other than a
// multiple.
func endsWithLetter(before, code string) bool {
	first, _ := utf8.DecodeRuneInString(code)
	last, _ := utf8.DecodeLastRuneInString(before)
	return unicode.IsLetter(first) && unicode.IsLetter(last)
}

// isUnit reports whether s can be a unit: short and without blanks, or one that is known.
func isUnit(s string) bool {
	if _, known := others[s]; known {
		return true
	}
	if _, time := timeUnit(s); time {
		return true
	}
	if isPowerPer(s) || isShareOf(s) {
		return true
	}
	if len(s) == 0 || utf8.RuneCountInString(s) > maxUnit || !utf8.ValidString(s) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(first) && !strings.ContainsRune("%‰°$€£¥₹\"'″", first) {
		return false
	}
	per := strings.IndexByte(s, '/') // l/100km: a number may follow it
	for at, r := range s {
		counted := at > 0 && (r == '2' || r == '3') || per > 0 && at > per && unicode.IsDigit(r)
		if !unicode.IsLetter(r) && !strings.ContainsRune("%‰°$€£¥₹/²³µ\"'″.·^ ", r) && !counted || r == ' ' && (per < 0 || at < per) {
			return false
		}
	}
	return true
}

// isPowerPer reports whether s is a power of ten and what it is counted per, as laboratories write it: x10^9/L, ×10⁹/l, *10E3/µL.
func isPowerPer(s string) bool {
	power, per, found := strings.Cut(s, "/")
	power = strings.TrimLeft(strings.TrimLeft(power, "x×*·X"), blanks)
	raised, ten := strings.CutPrefix(power, "10")
	raised = superscripts.Replace(strings.TrimLeft(raised, "^*eE"))
	return found && ten && len(power) < len(s)-len(per)-1 && allDigits(raised) && len(raised) < 3 && per != "" && len(per) <= maxUnit && strings.IndexFunc(per, func(r rune) bool { return !unicode.IsLetter(r) && r != 'µ' && r != '³' && r != '3' }) < 0
}

// isShareOf reports whether s is a percent sign and of what: % vol, % (w/w).
func isShareOf(s string) bool {
	of, share := strings.CutPrefix(s, "%")
	of = strings.Trim(of, blanks+"().")
	return share && of != "" && utf8.RuneCountInString(of) <= maxUnit && strings.IndexFunc(of, func(r rune) bool { return !unicode.IsLetter(r) && r != '/' }) < 0
}
