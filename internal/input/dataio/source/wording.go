package source

import (
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// WithNames appends the first few names, in parentheses, to a statement.
func WithNames(what string, names []string) string {
	const most = 3
	if len(names) > most {
		return what + " (" + strings.Join(names[:most], ", ") + ", …)"
	}
	return what + " (" + strings.Join(names, ", ") + ")"
}

// Clip quotes a token for a message, shortened if it is long.
func Clip(tok []byte) string {
	if len(tok) > 40 {
		return fmt.Sprintf("%q…", tok[:40])
	}
	return fmt.Sprintf("%q", tok)
}

// Listed writes words one after the other, the first few of many.
func Listed(words []string) string {
	const most = 12
	if len(words) > most {
		return fmt.Sprintf("%s, … (%d in all)", strings.Join(words[:most], ", "), len(words))
	}
	return strings.Join(words, ", ")
}

// QuestionAndFacts joins a question, which may be empty, and facts.
func QuestionAndFacts(question, facts string) hint.Hint {
	return hint.Sprintf("%s", strings.TrimSpace(question+" "+facts))
}

// Counted joins a number and a noun: "1 edge", "2 edges".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "x") {
		return fmt.Sprintf("%d %ses", n, noun)
	}
	if strings.HasSuffix(noun, "y") {
		return fmt.Sprintf("%d %sies", n, noun[:len(noun)-1])
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
