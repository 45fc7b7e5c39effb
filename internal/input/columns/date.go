package columns

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// An order says whether the day or the month of a date is first.
type order int

const (
	anyOrder   order = iota // the date does not say
	dayFirst                // 31/1/2024
	monthFirst              // 1/31/2024
)

// parseDate reads a date, with a time of day perhaps, as days since 1970. Of dates such as
// 3/4/2024 dayIsFirst says which is the day.
func parseDate(s string, dayIsFirst bool) (days float64, o order, ok bool) {
	s = firstOfWeek(firstOfQuarter(calendarSigns(strings.TrimSpace(plainDigits(s)))))
	if day, clock, found := strings.Cut(s, ":"); found && len(day) == 11 && strings.Count(day, "/") == 2 && !strings.ContainsAny(day, blanks) { // 02/May/2024:10:23:44, as servers log it
		s = day + " " + clock
	}
	if len(s) < 6 || len(s) > 40 {
		return 0, anyOrder, false
	}
	date, clock := splitTime(s)
	y, m, d, o, ok := parseDay(date, dayIsFirst)
	if !ok {
		return 0, anyOrder, false
	}
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if t.Day() != d || int(t.Month()) != m || y < 1 || y > 9999 {
		return 0, anyOrder, false
	}
	day, ok := parseClock(clock)
	return float64(t.Unix()/86400) + day, o, ok
}

// calendarSigns writes 2025年6月3日 as 2025-6-3.
func calendarSigns(s string) string {
	for _, signs := range [][3]string{{"年", "月", "日"}, {"년", "월", "일"}} {
		y, rest, ok := strings.Cut(s, signs[0])
		m, after, okMonth := strings.Cut(rest, signs[1])
		d, clock, okDay := strings.Cut(after, signs[2])
		if ok && okMonth && (okDay || after == "") {
			if d == "" {
				d = "1"
			}
			return strings.TrimRight(y, blanks) + "-" + strings.Trim(m, blanks) + "-" + strings.Trim(d, blanks) + clock
		}
	}
	return s
}

var quarters = strings.NewReplacer("Q", "-Q", "q", "-Q", "T", "-Q", "t", "-Q")

// firstOfQuarter writes 2019-Q3, 2019Q3 and Q3 2019 as 2019-7-1.
func firstOfQuarter(s string) string {
	if len(s) > 8 || !strings.ContainsAny(s, "QqTt") {
		return s
	}
	year, quarter := 0, 0
	for _, part := range strings.FieldsFunc(quarters.Replace(s), func(r rune) bool { return strings.ContainsRune("-/ ", r) }) {
		switch {
		case len(part) == 4 && allDigits(part) && year == 0:
			year = number(part, 4)
		case len(part) == 2 && part[0] == 'Q' && part[1] >= '1' && part[1] <= '4' && quarter == 0:
			quarter = int(part[1] - '0')
		default:
			return s
		}
	}
	if year == 0 || quarter == 0 {
		return s
	}
	return strconv.Itoa(year) + "-" + strconv.Itoa(3*quarter-2) + "-1"
}

// firstOfWeek writes 2025-W13 and 2025W13, weeks of ISO 8601, as the Monday they begin with.
func firstOfWeek(s string) string {
	y, w, found := strings.Cut(s, "W")
	if y = strings.TrimSuffix(y, "-"); !found || len(y) != 4 || len(w) != 2 || !allDigits(y) || number(w, 2) < 1 || number(w, 2) > 53 {
		return s
	}
	fourth := time.Date(number(y, 4), 1, 4, 0, 0, 0, 0, time.UTC) // is in the first week
	return fourth.AddDate(0, 0, 7*(number(w, 2)-1)-(int(fourth.Weekday())+6)%7).Format(time.DateOnly)
}

// splitTime cuts off the time of day, which has colons.
func splitTime(s string) (date, clock string) {
	colon := strings.IndexByte(s, ':')
	if colon < 0 {
		return s, ""
	}
	at := strings.LastIndexAny(s[:colon], " T")
	if at < 0 {
		return s, ""
	}
	return strings.TrimRight(s[:at], " ,"), s[at+1:]
}

// halfDays writes 3:04 p.m. as 3:04 PM.
var halfDays = strings.NewReplacer("A.M.", "AM", "P.M.", "PM")

// parseClock returns a time of day as a part of a day; a zone is taken off.
func parseClock(s string) (float64, bool) {
	if s == "" {
		return 0, true
	}
	s = halfDays.Replace(strings.ToUpper(s))
	for _, layout := range []string{"15:04", "15:04:05", "15:04Z07:00", "15:04:05Z07:00", "15:04:05-0700", "3:04 PM", "3:04:05 PM", "3:04PM", "15:04:05 MST", "15:04:05 -0700", "15:04 -0700", "15:04:05 -0700 (MST)"} {
		if t, err := time.Parse(layout, s); err == nil {
			return float64(t.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC))) / float64(24*time.Hour), true
		}
	}
	return 0, false
}

// parseDay reads a day in numbers or with the name of its month.
func parseDay(s string, dayIsFirst bool) (y, m, d int, o order, ok bool) {
	if s == "" || !strings.ContainsAny(s, "-/. ") {
		return 0, 0, 0, anyOrder, false
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("-/. ,", r) })
	if len(parts) == 2 && len(parts[0]) == 4 && s[4] == '-' { // 2024-05
		parts = append(parts, "1")
	}
	if len(parts) == 2 && len(parts[1]) == 4 && strings.Contains(s, "/") && number(parts[1], 4) >= 1900 && number(parts[1], 4) < 2100 { // 05/2024
		parts, s = []string{parts[1], parts[0], "1"}, s+"/1"
	}
	if len(parts) == 2 && monthOf(parts[0]) > 0 && number(parts[1], 4) > 999 { // May 2024
		parts, s = []string{"1", parts[0], parts[1]}, "1 "+s
	}
	if len(parts) == 4 && len(parts[0]) <= 9 && !startsWithDigit(parts[0]) { // Monday, 5 May 2024
		s, parts = strings.TrimLeft(s[len(parts[0]):], ",. "), parts[1:]
	}
	if len(parts) == 5 && dateWords[parts[1]] && dateWords[parts[3]] { // 5 de mayo de 2024
		parts, s = []string{parts[0], parts[2], parts[4]}, parts[0]+" "+parts[2]+" "+parts[4]
	}
	if len(parts) == 3 && (monthOf(parts[0]) > 0 || monthOf(parts[1]) > 0) {
		parts[2] = strings.TrimPrefix(parts[2], "'") // May 5, '24
	}
	if len(parts) != 3 || len(s) > len(parts[0])+len(parts[1])+len(parts[2])+4 {
		return 0, 0, 0, anyOrder, false
	}
	if month := monthOf(parts[1]); month > 0 { // 5 May 2024
		d, y, ok = number(strings.TrimSuffix(parts[0], "er"), 2), yearOf(parts[2]), true
		if len(parts[0]) == 4 {
			d, y = number(parts[2], 2), number(parts[0], 4)
		}
		return y, month, d, anyOrder, ok && y > 0 && d > 0
	}
	if month := monthOf(parts[0]); month > 0 { // May 5, 2024
		d, y = number(parts[1], 2), yearOf(parts[2])
		return y, month, d, anyOrder, y > 0 && d > 0
	}
	if len(parts[0]) == 4 { // 2024-05-31
		y, m, d = number(parts[0], 4), number(parts[1], 2), number(parts[2], 2)
		return y, m, d, anyOrder, y > 0 && m > 0 && d > 0
	}
	first, second, y := number(parts[0], 2), number(parts[1], 2), yearOf(parts[2])
	if len(parts[2]) == 2 && !shortYear(s, parts) || len(parts[2]) != 4 && len(parts[2]) != 2 || first < 1 || second < 1 || y < 1 || first > 31 || second > 31 {
		return 0, 0, 0, anyOrder, false
	}
	switch {
	case first > 12 || strings.Contains(s, "."):
		return y, second, first, dayFirst, true
	case second > 12:
		return y, first, second, monthFirst, true
	case dayIsFirst:
		return y, second, first, anyOrder, true
	}
	return y, first, second, anyOrder, true
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// number returns a number of at most so many digits, 0 where it is none.
func number(s string, digits int) int {
	if len(s) > digits || !allDigits(s) {
		return 0
	}
	y, _ := strconv.Atoi(s)
	return y
}

// yearOf reads a year of four digits, or of two: those from 70 on are of the last century.
func yearOf(s string) int {
	y := number(s, 4)
	if len(s) == 2 && allDigits(s) {
		if y += 2000; y >= 2070 {
			y -= 100
		}
	}
	return y
}

// shortYear reports whether a date in numbers may end with a year of two digits: 31.12.24 and 1/31/24, but not 1.2.24, which may be a version.
func shortYear(s string, parts []string) bool {
	return strings.Contains(s, "/") || len(parts[0]) == 2 && len(parts[1]) == 2
}

// dateWords stand between the parts of a date.
var dateWords = split("de del di of")

// monthNames are the names of the months in several languages, by month; they may be cut after three letters or more.
var monthNames = func() (list [12][]string) {
	for _, language := range []string{
		"january february march april may june july august september october november december",
		"januar februar märz april mai juni juli august september oktober november dezember",
		"jänner feber maerz april mai juni juli august sept oktober november dezember",
		"janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
		"januari februari maart april mei juni juli augustus september oktober november december",
		"januari februari mars april maj juni juli augusti september oktober november december",
		"styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
		"stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
		"января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
		"ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
	} {
		for m, name := range strings.Fields(language) {
			list[m] = append(list[m], name)
		}
	}
	return list
}()

// monthOf returns the month that s names, 0 where it names none or several.
func monthOf(s string) int {
	runes := utf8.RuneCountInString(s)
	if runes < 3 || s[0] >= '0' && s[0] <= '9' {
		return 0
	}
	s = strings.ToLower(s)
	found := 0
	for m, names := range monthNames {
		for _, name := range names {
			if strings.HasPrefix(name, s) {
				if found > 0 && found != m+1 {
					return 0 // jui
				}
				found = m + 1
			}
		}
	}
	return found
}

// Day returns the date that is so many days after 1970, in ISO 8601.
func Day(days float64) string {
	return time.Unix(int64(days*86400), 0).UTC().Format(time.DateOnly)
}

// Month returns the month, from 1, of a date in days since 1970.
func Month(days float64) int {
	return int(time.Unix(int64(math.Floor(days))*86400, 0).UTC().Month())
}
