package format

import "testing"

func TestTexts(t *testing.T) {
	cost := -2.5
	for _, c := range [][2]string{
		{Count(0, "row"), "0 rows"}, {Count(1, "row"), "1 row"}, {Count(2, "row"), "2 rows"},
		{Few(nil, 2), ""}, {Few([]string{"a", "b"}, 2), "a, b"}, {Few([]string{"a", "b", "c"}, 1), "a and 2 more"},
		{Number(1234567), "1.23457e+06"}, {Signed(0.5), "+0.5"}, {Signed(-0.5), "-0.5"},
		{Cost(nil), ""}, {Cost(&cost), "  -2.5"},
		{Terms(map[string]float64{"a": 1}), ""}, {Terms(map[string]float64{"b": 2, "a": 1}), " (a 1, b 2)"},
		{Starts(1, 1), "one start"}, {Starts(3, 3), "best of 3 starts"}, {Starts(10, 9), "best of 9 starts (1 duplicate start skipped)"}, {Starts(10, 3), "best of 3 starts (7 duplicate starts skipped)"}, {Starts(10, 1), "one start (9 duplicate starts skipped)"},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, wanted %q", c[0], c[1])
		}
	}
}

// Seconds are read without counting powers of ten.
func TestRounded(t *testing.T) {
	for x, want := range map[float64]string{0.00066: "0.00066", 1.94: "1.9", 12.3: "12", 99.4: "99", 99.6: "100", 190.2: "190", 12345.6: "12346"} {
		if got := Rounded(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}
