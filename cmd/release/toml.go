package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parseTOML reads what pyproject.toml needs of TOML: tables, strings of one line,
// numbers and truth values (kept as their text), arrays and inline tables. Anything
// else is an error. Values are string, []any and map[string]any.
func parseTOML(text string) (map[string]any, error) {
	p := &tomlParser{rest: text}
	top := map[string]any{}
	table := top
	for p.space(true); p.rest != ""; p.space(true) {
		var err error
		if p.take("[") {
			table, err = p.header(top)
		} else {
			err = p.pair(table)
		}
		p.space(false)
		if err == nil && p.rest != "" && p.rest[0] != '\n' {
			err = errors.New("expected the end of the line")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", 1+strings.Count(text[:len(text)-len(p.rest)], "\n"), err)
		}
	}
	return top, nil
}

type tomlParser struct{ rest string }

// space passes blanks and a comment, with lines also the ends of lines.
func (p *tomlParser) space(lines bool) {
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\r")
		if strings.HasPrefix(p.rest, "#") {
			end := strings.IndexByte(p.rest+"\n", '\n')
			p.rest = p.rest[end:]
		}
		if !lines || !p.take("\n") {
			return
		}
	}
}

func (p *tomlParser) take(s string) (found bool) {
	p.rest, found = strings.CutPrefix(p.rest, s)
	return found
}

// header reads [a.b] after its bracket and returns the table.
func (p *tomlParser) header(top map[string]any) (map[string]any, error) {
	table := top
	for {
		name, err := p.key()
		if err != nil {
			return nil, err
		}
		inner, ok := table[name].(map[string]any)
		if !ok {
			if table[name] != nil {
				return nil, fmt.Errorf("%s is not a table", name)
			}
			inner = map[string]any{}
			table[name] = inner
		}
		table = inner
		switch {
		case p.take("]"):
			return table, nil
		case !p.take("."):
			return nil, errors.New("expected . or ] in the name of a table")
		}
	}
}

// pair reads key = value into a table.
func (p *tomlParser) pair(table map[string]any) error {
	name, err := p.key()
	if err != nil {
		return err
	}
	p.space(false)
	if !p.take("=") {
		return fmt.Errorf("expected = after %s", name)
	}
	p.space(false)
	if table[name] != nil {
		return fmt.Errorf("%s is given twice", name)
	}
	table[name], err = p.value()
	return err
}

func (p *tomlParser) key() (string, error) {
	p.space(false)
	if strings.HasPrefix(p.rest, `"`) || strings.HasPrefix(p.rest, "'") {
		return p.quoted()
	}
	return p.word("a name")
}

// word reads letters, digits and what else bare keys and numbers have.
func (p *tomlParser) word(what string) (string, error) {
	end := strings.IndexFunc(p.rest+"\n", func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-", r)
	})
	if end == 0 {
		return "", fmt.Errorf("expected %s", what)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word, nil
}

func (p *tomlParser) quoted() (string, error) {
	if strings.HasPrefix(p.rest, `"""`) || strings.HasPrefix(p.rest, "'''") {
		return "", errors.New("strings of several lines are not supported")
	}
	if p.take("'") {
		text, after, found := strings.Cut(p.rest, "'")
		if !found || strings.Contains(text, "\n") {
			return "", errors.New("a string does not end")
		}
		p.rest = after
		return text, nil
	}
	literal, err := strconv.QuotedPrefix(p.rest)
	if err != nil {
		return "", errors.New("a string does not end, or has an escape that is not supported")
	}
	p.rest = p.rest[len(literal):]
	return strconv.Unquote(literal)
}

func (p *tomlParser) value() (any, error) {
	switch {
	case strings.HasPrefix(p.rest, `"`) || strings.HasPrefix(p.rest, "'"):
		return p.quoted()
	case p.take("["):
		list := []any{}
		err := p.listed("]", func() error {
			v, err := p.value()
			list = append(list, v)
			return err
		})
		return list, err
	case p.take("{"):
		table := map[string]any{}
		err := p.listed("}", func() error { return p.pair(table) })
		return table, err
	}
	return p.word("a value")
}

// listed reads what is between commas, up to the closing bracket.
func (p *tomlParser) listed(end string, read func() error) error {
	for {
		p.space(true)
		if p.take(end) {
			return nil
		}
		if err := read(); err != nil {
			return err
		}
		p.space(true)
		if !p.take(",") && !strings.HasPrefix(p.rest, end) {
			return fmt.Errorf("expected a comma or %s", end)
		}
	}
}
