package columns

import (
	"strconv"
	"strings"
	"unicode"
)

// Lengths of time in seconds; a year is one of Gregory's calendar, a month a twelfth of it.
const (
	second = 1.0
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
	week   = 7 * day
	year   = 365.2425 * day
	month  = year / 12
)

// timeWords are what people write after a length of time, in several languages.
var timeWords = parseTimeWords(map[float64]string{
	second: "s sec secs sec. second seconds sek sek. sekunde sekunden seconde secondes segundo segundos secondo secondi sekunder сек с 秒 초 sn saniye",
	minute: "min mins min. minute minutes minuten minuto minutos minuto minuti minuut minuter minutter минут мин 分 分钟 分間 분 dk dakika",
	hour:   "h hr hrs hr. hour hours std std. stunde stunden heure heures hora horas ora ore uur uren tim timme timmar time timer час часа часов ч 時間 小时 시간 saat godz godz.",
	day:    "d day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen dagar dage день дня дней дн дн. сут сут. 日 日間 天 일 gün dni",
	week:   "w wk wks week weeks woche wochen semaine semaines semana semanas settimana settimane weken vecka veckor uge uger недель нед нед. 週間 周 주 hafta",
	month:  "mo mos mo. month months monat monate monaten mois mes meses mese mesi mês maand maanden månad månader måned måneder месяц месяцев мес мес. ヶ月 か月 カ月 个月 개월 ay miesiąc miesiące miesięcy",
	year:   "y yr yrs yr. year years jahr jahre jahren an ans année années año años anno anni ano anos jaar jaren år rok lata lat год года лет 年 年間 년 yıl",
})

func parseTimeWords(lists map[float64]string) map[string]float64 {
	out := map[string]float64{}
	for size, words := range lists {
		for _, w := range strings.Fields(words) {
			out[w] = size
		}
	}
	return out
}

// timeUnit returns the length of a unit of time of two letters or more that stands behind one number.
func timeUnit(s string) (unit, bool) {
	size, ok := timeWords[strings.ToLower(s)]
	if !ok || len(s) < 2 {
		return unit{}, false
	}
	return unit{"time", size, 0}, true
}

// parseDuration reads 3:45, 1:02:03, 6:45 pm, 1h 30min, 2 years 3 months and PT1H30M as seconds; of two numbers with a colon the
// first are minutes, but hours of a time of day.
func parseDuration(s string) (seconds float64, ok bool) {
	if at := strings.IndexByte(s, ':'); at >= 0 {
		return parseColons(s)
	}
	if s[0] == 'P' {
		return parsePeriod(s[1:])
	}
	units := 0
	for rest := s; rest != ""; units++ {
		at := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsLetter(r) })
		if at <= 0 {
			return 0, false
		}
		v, err := strconv.ParseFloat(strings.Replace(strings.Trim(rest[:at], blanks), ",", ".", 1), 64)
		end := at
		for end < len(rest) && !strings.ContainsRune(blanks+",", rune(rest[end])) && (rest[end] > '9' || rest[end] < '0') {
			end++
		}
		word := rest[at:end]
		size := timeWords[strings.ToLower(word)]
		switch {
		case word == "M" || word == "m":
			size = minute
		case size == 0 && len(word) > 1:
			size = timeWords[strings.ToLower(strings.TrimSuffix(word, "."))]
		}
		if err != nil || size == 0 || !(v >= 0) {
			return 0, false
		}
		seconds += v * size
		rest = strings.TrimLeft(rest[end:], blanks+",")
		for _, and := range []string{"and ", "und ", "et ", "y ", "e ", "en ", "och ", "og "} {
			if after, found := strings.CutPrefix(rest, and); found {
				rest = strings.TrimLeft(after, blanks)
				break
			}
		}
	}
	return seconds, units > 1
}

// parseColons reads 3:45, 1:02:03 and 6:45 pm.
func parseColons(s string) (seconds float64, ok bool) {
	half, marked := 0.0, false
	lower := strings.ToLower(strings.ReplaceAll(s, ".m.", "m"))
	for at, word := range []string{"am", "pm"} {
		if rest, found := strings.CutSuffix(lower, word); found {
			s, half, marked = strings.TrimRight(rest, blanks), float64(at)*12*hour, true
		}
	}
	parts := strings.Split(s, ":")
	if len(parts) != 2 && len(parts) != 3 {
		return 0, false
	}
	for at, p := range parts {
		whole, fraction, has := strings.Cut(p, ".")
		if !allDigits(whole) || len(whole) > 4 || has && (at < len(parts)-1 || !allDigits(fraction)) {
			return 0, false
		}
		v, err := strconv.ParseFloat(p, 64)
		if err != nil || at > 0 && (v >= 60 || len(whole) != 2) || marked && at == 0 && (v < 1 || v > 12) {
			return 0, false
		}
		if marked && at == 0 && v == 12 {
			v = 0
		}
		seconds = 60*seconds + v
	}
	if marked && len(parts) == 2 {
		seconds *= 60
	}
	return seconds + half, true
}

// parsePeriod reads what follows the P of a duration of ISO 8601: 1Y2M, 3DT4H.
func parsePeriod(s string) (seconds float64, ok bool) {
	sizes := map[byte]float64{'Y': year, 'M': month, 'W': week, 'D': day}
	for s != "" {
		if s[0] == 'T' {
			sizes, s = map[byte]float64{'H': hour, 'M': minute, 'S': second}, s[1:]
			continue
		}
		at := strings.IndexFunc(s, unicode.IsLetter)
		if at <= 0 || sizes[s[at]] == 0 {
			return 0, false
		}
		v, err := strconv.ParseFloat(s[:at], 64)
		if err != nil {
			return 0, false
		}
		seconds, ok = seconds+v*sizes[s[at]], true
		s = s[at+1:]
	}
	return seconds, ok
}
