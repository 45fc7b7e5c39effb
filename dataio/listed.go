package dataio

import (
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/hint"
)

// listed writes words one after the other, the first few of many.
func listed(words []string) string {
	const most = 12
	if len(words) > most {
		return fmt.Sprintf("%s, … (%d in all)", strings.Join(words[:most], ", "), len(words))
	}
	return strings.Join(words, ", ")
}

// orElse puts a question before what there is to know, if there is a question.
func orElse(question, facts string) hint.Hint {
	return hint.Sprintf("%s", strings.TrimSpace(question+" "+facts))
}
