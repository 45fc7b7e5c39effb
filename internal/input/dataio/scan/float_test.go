package scan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// sameFloat compares ScanFloat on the whole of s with strconv.
func sameFloat(t interface{ Fatalf(string, ...any) }, s string) {
	v, next := ScanFloat([]byte(s), 0)
	want, err := strconv.ParseFloat(s, 64)
	if err != nil {
		if next == len(s) {
			t.Fatalf("%q read as %v, strconv refuses it: %v", s, v, err)
		}
		return
	}
	if next != len(s) {
		if plainDecimal(s) {
			t.Fatalf("%q: stopped at %d, strconv reads %v", s, next, want)
		}
		return
	}
	if math.Float64bits(v) != math.Float64bits(want) {
		t.Fatalf("%q read as %v, strconv reads %v", s, v, want)
	}
}

// plainDecimal tells the numbers of tables from the hexadecimals, infinities
// and NaNs that strconv takes as well.
func plainDecimal(s string) bool {
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			return false
		}
	}
	return true
}

func TestScanFloatCases(t *testing.T) {
	for _, s := range []string{
		"0", "-0", "+0", "0.0", ".5", "5.", ".", "", "-", "+", "e5", "1e", "1e+", "1e5", "1E-5", "1.5e300",
		"1e400", "-1e400", "1e-400", "4.9e-324", "2.4703282292062327e-324", "1.7976931348623157e308", "1.7976931348623159e308",
		"9007199254740993", "9007199254740992", "9007199254740991", "18446744073709551615", "18446744073709551616",
		"0.1", "0.2", "0.30000000000000004", "123456789012345678", "1234567890123456789", "12345678901234567890",
		"0.000000000000000000000000000000001234567890123456789", "00000000000000000000000001.5", "1e0000000000000000000005",
		"8.5e22", "1e23", "1e22", "1e27", "1e-27", "9999999999999999999e27", "9999999999999999999e-27",
		"0.50000000000000005551115123125782702118158340454101562", "6.631236846766476e-316", "3.2378839133029012895883524125015321748630094230345e-319",
		"1.00000000000000011102230246251565404236316680908203125", "1.00000000000000011102230246251565404236316680908203124",
		"1e99999999999999999999", "0e99999999999", "12345678", "123456789", "1234567.8", "1..2", "1.2.3", "0x1p-2", "1_000", "inf", "nan",
	} {
		sameFloat(t, s)
	}
}

func TestScanFloatStops(t *testing.T) {
	v, next := ScanFloat([]byte("x,-12.5e1,7"), 2)
	if v != -125 || next != 9 {
		t.Fatalf("got %v at %d, want -125 at 9", v, next)
	}
}

func TestScanFloatProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`[0-9]{0,22}`).Draw(t, "digits")
		frac := rapid.StringMatching(`(\.[0-9]{0,22})?`).Draw(t, "fraction")
		exp := rapid.StringMatching(`([eE][-+]?[0-9]{1,3})?`).Draw(t, "exponent")
		sameFloat(t, rapid.SampledFrom([]string{"", "-", "+"}).Draw(t, "sign")+digits+frac+exp)
	})
}

// Random bits as 17 digits, and numbers close to halfway between two floats,
// where rounding is hardest.
func TestScanFloatHard(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	count := 200_000
	if testing.Short() {
		count = 20_000
	}
	for range count {
		x := math.Float64frombits(r.Uint64())
		if x-x != 0 {
			continue
		}
		sameFloat(t, strconv.FormatFloat(x, 'e', 16, 64))
		y := math.Ldexp(float64(r.Uint64()>>11|1<<52), r.IntN(140)-120)
		half := (y + math.Nextafter(y, math.Inf(1))) / 2
		sameFloat(t, strconv.FormatFloat(half, 'f', -1, 64))
		sameFloat(t, strconv.FormatFloat(y, 'e', 18, 64))
		sameFloat(t, fmt.Sprintf("%de%d", r.Uint64(), r.IntN(60)-30))
		sameFloat(t, fmt.Sprintf("%d.5", r.Uint64()>>10))
	}
}

func FuzzScanFloat(f *testing.F) {
	for _, s := range []string{"1.5", "-0", "1e-5", "123456789.123456789e-3", "0.1e+27"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { sameFloat(t, s) })
}

func BenchmarkScanFloat(b *testing.B) {
	for _, s := range []string{"-0.123456", "0.12345678901234567", "1.2345678901234567e-05"} {
		b.Run(s, func(b *testing.B) {
			text := []byte(s + ",")
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				ScanFloat(text, 0)
			}
		})
	}
}
