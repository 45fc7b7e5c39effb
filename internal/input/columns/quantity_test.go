package columns

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio"
)

// Numbers as people write them, by the conventions of their languages. comma says how the column reads 1.234.
func TestCellForms(t *testing.T) {
	type form struct {
		cell  string
		comma bool
		want  float64
		unit  string
	}
	forms := []form{
		// English
		{"1,234.50", false, 1234.5, ""}, {"1,234", false, 1234, ""}, {"12,345,678", false, 12345678, ""}, {"0.5", false, .5, ""}, {".5", false, .5, ""}, {"5.", false, 5, ""},
		{"$1,250.50", false, 1250.5, "$"}, {"-$4", false, -4, "$"}, {"$-4", false, -4, "$"}, {"($4.20)", false, -4.2, "$"}, {"$(4.20)", false, -4.2, "$"}, {"(1,234.50)", false, -1234.5, ""}, {"US$ 12", false, 12, "US$"},
		{"12 USD", false, 12, "USD"}, {"USD 12.5", false, 12.5, "USD"}, {"£3.50", false, 3.5, "£"}, {"£1,000", false, 1000, "£"}, {"12.5%", false, 12.5, "%"}, {"12.5 %", false, 12.5, "%"}, {"+3.2%", false, 3.2, "%"},
		{"<0.5", false, .5, ""}, {"< 0.5", false, .5, ""}, {">100", false, 100, ""}, {">=100", false, 100, ""}, {"≤ 3", false, 3, ""}, {"~12", false, 12, ""}, {"approx. 12", false, 12, ""},
		{"12.3 mm", false, 12.3, "mm"}, {"5,4 l/100km", true, 5.4, "l/100km"}, {"€ 1,2 Mln", true, 1.2e6, "€"}, {"€ 850 mila", true, 850e3, "€"}, {"12.3mm", false, 12.3, "mm"}, {"6 ft", false, 6, "ft"}, {"150 lbs", false, 150, "lbs"}, {"98.6 °F", false, 98.6, "°F"}, {"60 mph", false, 60, "mph"}, {"1200 sq ft", false, 1200, "sq ft"}, {"5\"", false, 5, "\""},
		{"6'2\"", false, 6 + 2.0/12, "ft"}, {"5′11″", false, 5 + 11.0/12, "ft"}, {"6' 1.5\"", false, 6.125, "ft"}, {"7.8/10", false, 7.8, "/10"}, {"4/5", false, 4, "/5"}, {"1,000,000+", false, 1e6, ""}, {"50+", false, 50, ""}, {"c1991", false, 1991, ""}, {"circa 1850", false, 1850, ""}, {"c. 1850", false, 1850, ""},
		{"3:45", false, 225, ":"}, {"1:02:03", false, 3723, ":"}, {"00:56", false, 56, ":"}, {"1h 30m", false, 5400, ":"}, {"2h5min", false, 7500, ":"}, {"$1.2M", false, 1.2e6, "$"}, {"$3bn", false, 3e9, "$"}, {"1.2k", false, 1.2, "k"}, {"1e-5", false, 1e-5, ""},
		{"2.689e-05", false, 2.689e-5, ""}, {"1.5E3 V", false, 1500, "V"}, {"12345678901234567890", false, 12345678901234567890, ""}, {"1_000_000", false, 1e6, ""}, {"−7", false, -7, ""}, {"7-", false, -7, ""}, {"1,234.5 kWh", false, 1234.5, "kWh"},
		{"7 ½", false, 7.5, ""}, {"¾", false, .75, ""}, {"3.21×10^4", false, 32100, ""}, {"2 ×10⁻³", false, .002, ""}, {"20.3 ± 2.0", false, 20.3, ""}, {"45°12'36\"N", false, 45.21, ""}, {"3°30' W", false, -3.5, ""}, {"$1.16m", false, 1.16e6, "$"}, {"20:1", false, 20, ":1"},
		{"up to 8 mm", false, 8, "mm"}, {"bis zu 5 kg", false, 5, "kg"}, {"hasta 3,5", false, 3.5, ""}, {"max. 12", false, 12, ""},
		// German and Austrian
		{"1.234,50", true, 1234.5, ""}, {"1.234,50", false, 1234.5, ""}, {"1.234", true, 1234, ""}, {"1.234", false, 1.234, ""}, {"12,5", false, 12.5, ""}, {"0,523", false, .523, ""}, {"1.234.567", false, 1234567, ""}, {"1.250,50 €", false, 1250.5, "€"},
		{"€ 126,72", false, 126.72, "€"}, {"-1.250,50 €", false, -1250.5, "€"}, {"(1.234,50) €", false, -1234.5, "€"}, {"12,50-", false, -12.5, ""}, {"1250,- €", true, 1250, "€"}, {"12,5 %", false, 12.5, "%"}, {"3,5 Mio. €", false, 3.5e6, "€"},
		{"2 Mrd. €", false, 2e9, "€"}, {"12 Tsd. €", false, 12e3, "€"}, {"ca. 12,5", false, 12.5, ""}, {"etwa 5", false, 5, ""}, {"479,1 kPa", false, 479.1, "kPa"}, {"85 qm", false, 85, "qm"}, {"90 Min.", false, 90, "Min."}, {"2 Std.", false, 2, "Std."}, {"<0,5 mg/L", false, .5, "mg/L"}, {"120 km/h", false, 120, "km/h"},
		{"21,5 °C", false, 21.5, "°C"}, {"150 PS", false, 150, "PS"}, {"EUR 1.000,00", false, 1000, "EUR"}, {"1.000 EUR", true, 1000, "EUR"},
		// Swiss
		{"1'234.50", false, 1234.5, ""}, {"1’234’567", false, 1234567, ""}, {"CHF 1'250.50", false, 1250.5, "CHF"}, {"1'250.– CHF", false, 1250, "CHF"}, {"Fr. 12.50", false, 12.5, "Fr."}, {"12.50 Fr.", false, 12.5, "Fr."},
		// French
		{"1 234,50", false, 1234.5, ""}, {"1\u00a0234,50\u00a0€", false, 1234.5, "€"}, {"1\u202f234,5", false, 1234.5, ""}, {"2 509,68 €", false, 2509.68, "€"}, {"12,5\u00a0%", false, 12.5, "%"}, {"env. 12", false, 12, ""}, {"1 000 000", false, 1e6, ""}, {"3,2 km", false, 3.2, "km"}, {"15 jours", false, 15, "jours"},
		{"0,75 L", false, .75, "L"}, {"-3,5 °C", false, -3.5, "°C"}, {"12 euros", false, 12, "euros"},
		// Spanish
		{"350.500 €", true, 350500, "€"}, {"1.250.000 €", false, 1250000, "€"}, {"85 m²", false, 85, "m²"}, {"12,5 kg", false, 12.5, "kg"}, {"3 días", false, 3, "días"}, {"$ 1.234,50", false, 1234.5, "$"}, {"MXN 1,234.50", false, 1234.5, "MXN"}, {"1.234,5 ha", false, 1234.5, "ha"},
		// Portuguese
		{"R$ 1.234,50", false, 1234.5, "R$"}, {"R$12", false, 12, "R$"}, {"-R$ 3,20", false, -3.2, "R$"}, {"1.234,50 BRL", false, 1234.5, "BRL"}, {"45,3%", false, 45.3, "%"}, {"2,5 h", false, 2.5, "h"},
		// Italian
		{"€ 1.234,50", false, 1234.5, "€"}, {"1.234,50 euro", false, 1234.5, "euro"}, {"0,5 l", false, .5, "l"}, {"12 cm", false, 12, "cm"}, {"3 cm²", false, 3, "cm²"}, {"7 m³", false, 7, "m³"}, {"7 m3", false, 7, "m3"},
		// Dutch
		{"€ 1.250,-", true, 1250, "€"}, {"€ 12,-", true, 12, "€"}, {"12,75", false, 12.75, ""}, {"4 kW", false, 4, "kW"},
		// Swedish, Norwegian and Danish
		{"1 234,50 kr", false, 1234.5, "kr"}, {"12:30", false, 750, ":"}, {"kr 1 234", false, 1234, "kr"}, {"SEK 99", false, 99, "SEK"}, {"99,50 DKK", false, 99.5, "DKK"}, {"kr. 1.234,50", false, 1234.5, "kr."}, {"5 kr", false, 5, "kr"}, {"3,4 mil", false, 3.4, "mil"},
		// Polish, Czech and Hungarian
		{"1 234,50 zł", false, 1234.5, "zł"}, {"12 Kč", false, 12, "Kč"}, {"1 234 Ft", false, 1234, "Ft"}, {"99 PLN", false, 99, "PLN"}, {"0,5 szt", false, .5, "szt"},
		// Russian, Japanese, Indian, Korean, Turkish
		{"1 234,50 руб.", false, 1234.5, "руб."}, {"₽99", false, 99, "₽"}, {"¥1,200", false, 1200, "¥"}, {"1,200円", false, 1200, "円"}, {"₹12,34,567.50", false, 1234567.5, "₹"}, {"Rs. 1,200", false, 1200, "Rs."}, {"₩15,000", false, 15000, "₩"}, {"₺1.234,50", false, 1234.5, "₺"},
		// Arabic, Persian, Hindi and Japanese digits and signs
		{"١٢٣", false, 123, ""}, {"١٢٫٥", false, 12.5, ""}, {"١٬٢٣٤", false, 1234, ""}, {"٥٠٪", false, 50, "%"}, {"۱۲", false, 12, ""}, {"१२ kg", false, 12, "kg"}, {"12,500 ر.س", false, 12500, "ر.س"}, {"１２．５", false, 12.5, ""}, {"８.5万円", false, 8.5e4, "円"}, {"85,000円", false, 85000, "円"},
		{"￥1,200", false, 1200, "¥"}, {"45.2㎡", false, 45.2, "m²"}, {"3㎞", false, 3, "km"}, {"12階", false, 12, "階"}, {"30分", false, 30, "分"}, {"2時間30分", false, 9000, ":"}, {"1億円", false, 1e8, "円"}, {"5만원", false, 5e4, "원"},
		// Words and asides around numbers
		{"from $120 / night", false, 120, "$/night"}, {"From €95 per night", false, 95, "€/night"}, {"$120/night", false, 120, "$/night"}, {"ab 120 €", false, 120, "€"}, {"ab 89,50 € pro Nacht", false, 89.5, "€/Nacht"}, {"desde 45 €", false, 45, "€"}, {"à partir de 1 200 €", false, 1200, "€"}, {"от 3 500 руб.", false, 3500, "руб."},
		{"84.99㎡(25.7평)", false, 84.99, "m²"}, {"84.99 m² (914 sq ft)", false, 84.99, "m²"}, {"12 (4.5 %)", false, 12, ""}, {"1,234.5 (1,100.2 to 1,300.4)", false, 1234.5, ""}, {"（12.5）", false, -12.5, ""},
		{"3억 2,000만원", false, 3.2e8, "원"}, {"11억 5,100만원", false, 1.151e9, "원"}, {"9,500만원", false, 9.5e7, "원"}, {"5천만원", false, 5e7, "원"}, {"1조 2,345억", false, 1.2345e12, ""}, {"1億2000万円", false, 1.2e8, "円"}, {"3億5千万円", false, 3.5e8, "円"}, {"1亿2000万元", false, 1.2e8, "元"}, {"₩1억 500만", false, 1.05e8, "₩"}, {"1.5억 원", false, 1.5e8, "원"},
		{"3,67 кг", false, 3.67, "кг"}, {"76 г", false, 76, "г"}, {"2 326 км", false, 2326, "км"}, {"2 дн.", false, 2, "дн."}, {"45,5 кв. м", false, 45.5, "кв. м"},
		// Lengths of time in words, times of day, ordinals, stars
		{"3 yrs 4 mos", false, 3*year + 4*month, ":"}, {"9 mos", false, 9, "mos"}, {"2 Jahre 3 Monate", false, 2*year + 3*month, ":"}, {"1 an 2 mois", false, year + 2*month, ":"}, {"2 años 1 mes", false, 2*year + month, ":"}, {"1 h 05 min", false, 3900, ":"}, {"5m 30s", false, 330, ":"}, {"2 hours and 5 minutes", false, 7500, ":"},
		{"1,5 h 10 min", false, 6000, ":"}, {"3d 4h", false, 3*day + 4*hour, ":"}, {"PT1H30M", false, 5400, ":"}, {"P1Y2M", false, year + 2*month, ":"}, {"P3DT12H", false, 3.5 * day, ":"}, {"6:45 AM", false, 24300, ":"}, {"12:05 am", false, 300, ":"}, {"1:30 p.m.", false, 48600, ":"}, {"12:00:30 PM", false, 43230, ":"},
		{"11th", false, 11, ""}, {"1st", false, 1, ""}, {"22nd", false, 22, ""}, {"3rd", false, 3, ""}, {"★★★★☆", false, 4, "★"}, {"⭐⭐", false, 2, "★"}, {"★½", false, 1.5, "★"},
		// Units of laboratories, machines and computers
		{"3.0 mg/L", false, 3, "mg/L"}, {"177 µmol/L", false, 177, "µmol/L"}, {"13.7 g/dL", false, 13.7, "g/dL"}, {"1.5 GB", false, 1.5, "GB"}, {"512 KiB", false, 512, "KiB"}, {"100 Mbit/s", false, 100, "Mbit/s"}, {"2.4 GHz", false, 2.4, "GHz"}, {"1013 hPa", false, 1013, "hPa"}, {"33 l/min", false, 33, "l/min"}, {"14800 rpm", false, 14800, "rpm"},
		{"5 mA", false, 5, "mA"}, {"230 V", false, 230, "V"}, {"12 €/kg", false, 12, "€/kg"}, {"0.3 ‰", false, .3, "‰"}, {"45 ppm", false, 45, "ppm"}, {"6.5 x10^9/L", false, 6.5, "x10^9/L"}, {"6,5 ×10⁹/l", false, 6.5, "×10⁹/l"}, {"250 x 10E3/µL", false, 250, "x 10E3/µL"}, {"13.4% vol", false, 13.4, "% vol"}, {"5 % (w/w)", false, 5, "% (w/w)"},
		// Heights, marks, errors and bounds in words
		{"5 ft 11 in", false, 5 + 11.0/12, "ft"}, {"5ft 11in", false, 5 + 11.0/12, "ft"}, {"6 feet 2 inches", false, 6 + 2.0/12, "ft"}, {"12 in", false, 12, "in"}, {"6 ft", false, 6, "ft"}, {"3.3 out of 5", false, 3.3, "/5"}, {"4.5 out of 5 stars", false, 4.5, "/5"}, {"4,5 von 5 Sternen", false, 4.5, "/5"}, {"17 sur 20", false, 17, "/20"},
		{"5.66 +/- 0.10", false, 5.66, ""}, {"10+ years", false, 10, "years"}, {"50+ km", false, 50, "km"}, {"33 years old", false, 33, "years old"}, {"'107", false, 107, ""},
		// Lakhs and crores
		{"₹1.25 Cr", false, 1.25e7, "₹"}, {"₹ 85 Lac", false, 85e5, "₹"}, {"Rs. 12.5 lakh", false, 12.5e5, "Rs."}, {"₹ 90 L", false, 90e5, "₹"}, {"2 crore INR", false, 2e7, "INR"}, {"90 L", false, 90, "L"}, {"3 Cr", false, 3, "Cr"}, {"4,2 mm/s", false, 4.2, "mm/s"},
	}
	if len(forms) < 150 {
		t.Fatalf("%d forms", len(forms))
	}
	for _, f := range forms {
		q, ok := parseQuantity(f.cell, f.comma)
		if !ok || math.Abs(q.value-f.want) > 1e-9*math.Abs(f.want) || q.unit != f.unit {
			t.Errorf("%q (comma %v): %v %q %v, want %v %q", f.cell, f.comma, q.value, q.unit, ok, f.want, f.unit)
		}
	}
	for _, cell := range []string{"", "abc", "12 rue Victor Hugo", "18-24", "65 et plus", "31.12.2024", "2024-01-31", "3/23", "1.2.3", "192.168.0.1", "+49 30 1234567", "030 123 456", "1,23,4", "12:75", "A12", "€", "--5x", "1.234.56", "12 34", "10-12 kg", "13:05 pm", "P", "PT", "0:75 am", "徒歩7分", "☆x", "5 (agree)", "from Berlin", "1만 2억", "3억 억", "(030) 123 (45)", "120 / 80", "5 x10^9/", "5 x9^9/L", "4 out of 7", "page 3 of 20", "1+1", "'", "'x", "3 % of all 7"} {
		if q, ok := parseQuantity(cell, false); ok {
			t.Errorf("%q is taken for %v %q", cell, q.value, q.unit)
		}
	}
}

func TestUnitsAreConverted(t *testing.T) {
	for _, c := range []struct {
		from, to string
		x, want  float64
	}{{"mm", "m", 1500, 1.5}, {"kg", "g", 2, 2000}, {"t", "kg", 3, 3000}, {"min", "s", 2, 120}, {"h", "min", 1.5, 90}, {"bar", "kPa", 1, 100}, {"MB", "GB", 500, .5}, {"°F", "°C", 212, 100}, {"cm²", "m²", 1e4, 1},
		{"km/h", "m/s", 36, 10}, {"mg/dL", "g/L", 100, 1}, {"ml", "l", 250, .25}, {"m3", "l", 1, 1000}, {"kWh", "MJ", 1, 3.6}, {"µA", "mA", 1000, 1}, {"nM", "µM", 500, .5}, {"mmol/L", "µM", 1, 1000}, {"mos", "years", 18, 1.5}, {":", "min", 90, 1.5}, {"Wochen", "Tage", 2, 14}, {"кг", "г", 2, 2000}, {"км", "м", 1.5, 1500}, {"дн.", "ч", 2, 48}, {"г", "kg", 500, .5}, {"평", "m²", 2, 6.61157}, {"公斤", "克", 2, 2000}, {"in", "cm", 1, 2.54}, {"cl", "ml", 75, 750}} {
		k, ok := convert(c.from, c.to)
		if got := k.Factor*c.x + k.Offset; !ok || math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%v %s is %v %s, %v; want %v", c.x, c.from, got, c.to, ok, c.want)
		}
	}
	for _, pair := range [][2]string{{"kg", "m"}, {"A", "B"}, {"°C", "kg"}, {"mg/dL", "µmol/L"}} {
		if _, ok := convert(pair[0], pair[1]); ok {
			t.Errorf("%s is converted to %s", pair[0], pair[1])
		}
	}
}

func TestMissingWordsAndSentinels(t *testing.T) {
	for _, s := range []string{"", "NA", "n/a", "-", "–", "?", "unknown", "Keine Angabe", "k.A.", "ne sait pas", "s/d", "não informado", "onbekend", "brak danych", "okänd", "not done", "ERR", "Prefer not to say", "غير معروف"} {
		if !missingToken(s) {
			t.Errorf("%q is not missing", s)
		}
	}
	for _, s := range []string{"no", "yes", "0", "north", "x", "Null Island"} {
		if missingToken(s) {
			t.Errorf("%q is missing", s)
		}
	}
	column := func(n int, f func(i int) float64, extra ...float64) (out []float64) {
		for i := range n {
			out = append(out, f(i))
		}
		for range 5 {
			out = append(out, extra...)
		}
		return out
	}
	answers := func(i int) float64 { return float64(1 + i%5) }
	for _, c := range []struct {
		about  string
		values []float64
		want   []float64
	}{
		{"temperatures", column(200, func(i int) float64 { return float64(i%60) - 20.5 }, -9999), []float64{-9999}},
		{"answers of 1 to 5", column(200, answers, 99), []float64{99}},
		{"answers with two codes", column(200, answers, 99, 88), []float64{99, 88}},
		{"answers with 9", column(200, answers, 9), []float64{9}},
		{"ages", column(200, func(i int) float64 { return float64(18 + i%75) }, 99), nil},
		{"ages with 999", column(200, func(i int) float64 { return float64(18 + i%75) }, 999), []float64{999}},
		{"counts", column(200, func(i int) float64 { return float64(i) }, 99, 9), nil},
		{"magnitudes", column(200, func(i int) float64 { return .1 + float64(i%50)/20 }, 99.99), []float64{99.99}},
		{"prices", column(200, func(i int) float64 { return float64(i) }, 99.99), nil},
		{"heights of a grid", column(200, func(i int) float64 { return float64(i % 90) }, -32768), []float64{-32768}},
		{"once", append(column(200, answers), 99), nil},
	} {
		got := findSentinels(c.values)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.about, got, c.want)
		}
	}
}

func TestShapes(t *testing.T) {
	for want, cells := range map[string][]string{
		"e-mail addresses":       {"a.b@example.org", "jürgen@mail.example.net"},
		"web addresses":          {"https://example.com/a?b=1", "www.example.org"},
		"account numbers (IBAN)": {"DE66637385093443509168", "GB29 NWBK 6016 1331 9268 19"},
		"UUIDs":                  {"f42122c2-925b-45c2-b7d6-a57fbcb4839f"},
		"IP addresses":           {"192.168.0.1", "10.0.0.255"},
		"version numbers":        {"2.10.3", "v1.2", "3.0.0-rc1"},
		"file names":             {"a/b/c.png", "scan_01.tiff"},
		"hashes":                 {"9f86d081884c7d65", "0xdeadbeef01234567"},
		"phone numbers":          {"+49 30 1234567", "(030) 123-4567", "0664 1234567"},
		"":                       {"north", "south"},
	} {
		count := map[string]int{}
		for _, s := range cells {
			count[s] = 5
		}
		if got := shapeOf(count); got != want {
			t.Errorf("%q: %q, want %q", cells, got, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	for s, want := range map[string]bool{"12 Main St": true, "Hauptstraße 7": true, "Calle Mayor 1, 28013": true, "1984 Elm Street": true, "Château Moss 2021": false, "Toyota Corolla 1998": false, "red wine": false} {
		if isAddress(s) != want {
			t.Errorf("%q: %v, want %v", s, !want, want)
		}
	}
}

func FuzzParseQuantity(f *testing.F) {
	for _, s := range []string{"1.234,50 €", "(5)", "<0.5", "3:45", "1e9 kg", "₹12,34,567", "12.5.2024", "€€", "-", "1'2", "١٢٫٥", "2 h 5 min", "6:45 pm", "P1Y", "徒歩7分", "48–72 min", "★★☆", "2025年6月3日", "3. März 24", "A−"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, comma := range []bool{false, true} {
			q, ok := parseQuantity(s, comma)
			if ok && (math.IsNaN(q.value) || math.IsInf(q.value, 0)) {
				t.Fatalf("%q is %v", s, q.value)
			}
			if ok && !strings.ContainsAny(plainDigits(s), "0123456789★⭐🌟☆✩½") {
				t.Fatalf("%q has no digit and is %v", s, q.value)
			}
		}
		low, high, ok := rangeOf(s, false)
		if ok && !(low.value <= high.value) {
			t.Fatalf("%q is from %v to %v", s, low.value, high.value)
		}
		if v, ok := parseDuration("1" + s); ok && !(v >= 0) {
			t.Fatalf("%q is %v seconds", s, v)
		}
		commonBefore(map[string]int{s: 1}, 1)
		if days, _, ok := parseDate(s, false); ok && days != days {
			t.Fatalf("%q is no day", s)
		}
		orderOf(map[string]int{s: 1, "a+": 1, "b": 2, "c-": 1})
		missingToken(s)
		shapeOf(map[string]int{s: 1})
		isPersonName(s)
		isAddress(s)
		headerWords(s)
		unitOf(s)
	})
}

// A value too small to be measured is as large as the least one that was, unless a plan says that it is missing.
func TestBelowDetection(t *testing.T) {
	for _, s := range []string{"<LOD", "< LOQ", "BDL", "bdl", "below detection limit", "< DL", "b.d.l.", "<BG", "unter NG"} {
		if !isBelowDetection(s) {
			t.Errorf("%q is not below detection", s)
		}
	}
	for _, s := range []string{"", "n.d.", "<0.5", "LOD", "low", "BG", "trace", "DL"} {
		if isBelowDetection(s) {
			t.Errorf("%q is below detection", s)
		}
	}
	var b strings.Builder
	b.WriteString("sample,lead\n")
	for i := range 40 {
		cell := []string{"<LOD", "0.2 mg/L", "700 µg/L", "1.5 mg/L", "0.9 mg/L", "2.5 mg/L", "3.5 mg/L", "0.8 mg/L"}[i%8]
		if i == 3 {
			cell = "n.d."
		}
		b.WriteString("S" + string(rune('A'+i/26)) + string(rune('A'+i%26)) + "," + cell + "\n")
	}
	for _, c := range []struct {
		edit          Edit
		least         float64
		missing, gone int
		said          string
	}{
		{Edit{}, .2, 1, 0, "<LOD as the least value (5 cells)"},
		{Edit{Unit: "µg/L"}, 200, 1, 0, "<LOD as the least value (5 cells)"},
		{Edit{Missing: []string{"<LOD"}}, math.NaN(), 6, 5, ""},
	} {
		ds, err := dataio.Read(strings.NewReader(b.String()), "t.csv", dataio.Options{Mixed: true, TableMissing: true})
		if err != nil {
			t.Fatal(err)
		}
		p, err := Decide(ds, Rules{Edits: map[string]Edit{"lead": c.edit}, Log: []string{None}})
		if err != nil {
			t.Fatal(err)
		}
		lead := p.Columns[1]
		got, bad := lead.Spec.Numbers(ds, lead.At)
		if math.Abs(got[0]-c.least) > 1e-9 || (got[0] != got[0]) != (c.least != c.least) || lead.Missing != c.missing || len(bad) > 0 || !strings.Contains(lead.Why, c.said) {
			t.Errorf("%+v: the first cell is %v, %d missing, %d bad: %s", c.edit, got[0], lead.Missing, len(bad), lead.Why)
		}
	}
}

func FuzzDate(f *testing.F) {
	for _, s := range []string{"2024-05-31", "31.12.24", "5/31/2024 10:23", "Monday, 5 May 2024", "2025年6月3日 8:00", "2019-Q3", "02/May/2024:10:23:44 +0200", "2024-05-31T10:00:00.000+0000", "5 de mayo de 2024", "May 24", "3:45", "1:02:03.5", "6:45 p.m.",
		"1h 30min", "2 años 3 meses", "PT1H30M", "P1Y", "2時間30分", "1,5 h", "-3:45", "٣:٤٥", "99999999999h 1m", "1e400h 1s", "P", "::", "31/13/2024", "0000-00-00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		days, o, ok := parseDate(s, true)
		if ok && (days != days || days < -719163 || days >= 2932897) {
			t.Errorf("%q is day %v", s, days)
		}
		if other, p, also := parseDate(s, false); ok && (o != anyOrder || p != anyOrder) && (!also || other != days) {
			t.Errorf("%q says its order and is day %v or %v", s, days, other)
		}
		if ok {
			if again, _, is := parseDate(Day(days), false); !is || again != math.Floor(days) {
				t.Errorf("%q is day %v, which is written %s and read as %v", s, days, Day(days), again)
			}
		}
		if q, is := parseQuantity(s, false); is && q.unit == clockUnit && (math.IsNaN(q.value) || math.IsInf(q.value, 0)) {
			t.Errorf("%q lasts %v", s, q.value)
		}
		firstOfQuarter(s)
		monthOf(s)
	})
}
