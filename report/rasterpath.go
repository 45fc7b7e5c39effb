package report

import (
	"fmt"
	"math"
	"strings"
)

// path fills and strokes a path of straight lines.
func (p *painter) path(e *element) error {
	lines, err := parsePath(e.get("d"))
	if err != nil {
		return err
	}
	if fill := e.look("fill", "#000"); fill != "none" {
		for _, l := range lines {
			p.polygon(l)
		}
		if err := p.flush(fill, opacity(e.get("fill-opacity"))); err != nil {
			return err
		}
	}
	stroke := e.look("stroke", "none")
	if stroke == "none" {
		return nil
	}
	width := num(e.look("stroke-width", "1"))
	round := e.get("stroke-linecap") == "round"
	for _, l := range lines {
		for _, part := range dashed(l, e.get("stroke-dasharray")) {
			p.stroke(part, width/2, round)
		}
	}
	return p.flush(stroke, opacity(e.get("stroke-opacity")))
}

// stroke adds a line of half the width h. Its corners are round, its ends if
// they are to be.
func (p *painter) stroke(l []spot, h float64, round bool) {
	for i, s := range l {
		end := i == 0 || i == len(l)-1
		if round && end || !end && h > 0.5 {
			p.disc(s, h)
		}
		if i == 0 {
			continue
		}
		a := l[i-1]
		long := math.Hypot(s.x-a.x, s.y-a.y)
		if long == 0 {
			continue
		}
		dx, dy := -(s.y-a.y)/long*h, (s.x-a.x)/long*h
		p.polygon([]spot{{a.x + dx, a.y + dy}, {s.x + dx, s.y + dy}, {s.x - dx, s.y - dy}, {a.x - dx, a.y - dy}})
	}
}

// dashed cuts a line into dashes; pattern holds lengths, on and off in turn.
func dashed(l []spot, pattern string) (out [][]spot) {
	var lengths []float64
	sum := 0.0
	for _, f := range strings.Fields(pattern) {
		lengths = append(lengths, num(f))
		sum += num(f)
	}
	if !(sum > 0) || len(lengths)%2 != 0 {
		return [][]spot{l}
	}
	at, left := 0, lengths[0]
	var dash []spot
	for i := 1; i < len(l); i++ {
		a, b := l[i-1], l[i]
		long := math.Hypot(b.x-a.x, b.y-a.y)
		for done := 0.0; done < long; {
			step := min(left, long-done)
			from, to := between(a, b, done/long), between(a, b, (done+step)/long)
			if at%2 == 0 {
				if dash == nil {
					dash = []spot{from}
				}
				dash = append(dash, to)
			}
			done += step
			if left -= step; left <= 0 {
				if dash != nil {
					out, dash = append(out, dash), nil
				}
				at = (at + 1) % len(lengths)
				left = max(lengths[at], 1e-3)
			}
		}
	}
	if dash != nil {
		out = append(out, dash)
	}
	return out
}

func between(a, b spot, t float64) spot { return spot{a.x + t*(b.x-a.x), a.y + t*(b.y-a.y)} }

// parsePath reads the paths that charts have: M, L, H, V, h and Z.
func parsePath(d string) (lines [][]spot, err error) {
	var line []spot
	at := spot{}
	for len(d) > 0 {
		op := d[0]
		end := 1 + strings.IndexAny(d[1:], "MLHVhZ")
		if end == 0 {
			end = len(d)
		}
		words := strings.Fields(d[1:end])
		d = d[end:]
		want := map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'h': 1, 'Z': 0}
		if n, ok := want[op]; !ok || len(words) != n {
			return nil, fmt.Errorf("%w: the path command %c with %d numbers", errShape, op, len(words))
		}
		switch op {
		case 'M':
			if len(line) > 0 {
				lines = append(lines, line)
			}
			at, line = spot{num(words[0]), num(words[1])}, nil
		case 'L':
			at = spot{num(words[0]), num(words[1])}
		case 'H':
			at.x = num(words[0])
		case 'h':
			at.x += num(words[0])
		case 'V':
			at.y = num(words[0])
		case 'Z':
			if len(line) == 0 {
				continue
			}
			at = line[0]
		}
		line = append(line, at)
	}
	if len(line) > 0 {
		lines = append(lines, line)
	}
	return lines, nil
}
