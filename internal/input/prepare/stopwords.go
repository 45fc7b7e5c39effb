package prepare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// English is the built-in list of English stop words: words that stand in most
// texts and say little about what a text is about.
func English() []string { return strings.Fields(english) }

// isLanguages reports whether a choice of stop words names built-in lists.
func isLanguages(choice string) bool {
	return !slices.ContainsFunc(strings.Split(choice, ","), func(s string) bool { return stopLists[s] == "" })
}

// languageTitle writes the names of languages as people do.
func languageTitle(choice string) string {
	names := strings.Split(choice, ",")
	for i, name := range names {
		names[i] = strings.ToUpper(name[:1]) + name[1:]
	}
	return strings.Join(names, " and ")
}

// stopWords reads Options.StopWords: the words to leave out, and what the choice
// is called.
func stopWords(choice string) (out map[string]bool, name string) {
	out = make(map[string]bool)
	if choice = cmp.Or(choice, "english"); choice == "none" {
		return out, "none"
	}
	if names := strings.Split(choice, ","); !slices.ContainsFunc(names, func(s string) bool { return stopLists[s] == "" }) {
		for _, name := range names {
			for w := range strings.FieldsSeq(stopLists[name]) {
				out[w] = true
			}
		}
		return out, choice
	}
	// A given word is cut as documents are, so that it can meet their words.
	Words(choice, func(w []byte) { out[string(w)] = true })
	return out, choice
}

// stopNote says how many stop words of the list called name stood in the
// documents; "" where there is nothing to say.
func stopNote(name string, met int) hint.Hint {
	switch {
	case name == "none", isLanguages(name) && met == 0:
		return ""
	case isLanguages(name):
		return hint.Sprintf("%s left out ({stop-words=none} keeps them)", counted(met, languageTitle(name)+" stop word"))
	case met == 0:
		return "none of the given stop words is in the documents ({stop-words=english} is the built-in list)"
	}
	return hint.Sprintf("%s left out", counted(met, "given stop word"))
}

const english = `
a an the
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
this that these those here there where when why how who whom whose which what
whatever whichever whoever whenever wherever however
am is are was were be been being do does did doing done have has had having
can could may might must shall should will would ought cannot
and or but nor so yet if unless until while because although though as than then
whether since once
of at by for from in into on onto upon off out over under to toward towards with
within without about above across after against along among around before behind
below beneath beside besides between beyond down during inside outside near per
through throughout till up via like
all any another both each either every few many more most much neither none no not
one other others own same several some such only
again ago almost already also always anyone anything else ever everyone everything
even first further hence indeed instead just last later least less maybe meanwhile
moreover nevertheless never next nobody nothing now often otherwise perhaps quite
rather really seem seems seemed somehow someone something sometimes somewhere soon
still therefore thus too together very well yes
get gets got go goes going gone went let make makes made say says said take takes
took come comes came put use used using
i'm i'd i'll i've you're you'd you'll you've he's he'd he'll she's she'd she'll
it's it'd it'll we're we'd we'll we've they're they'd they'll they've
that's that'll there's here's what's who's who'll where's when's why's how's let's
isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't
mightn't mustn't shan't shouldn't won't wouldn't ain't needn't
im dont cant
`
