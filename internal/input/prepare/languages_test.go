package prepare

import (
	"slices"
	"testing"
)

func TestLanguages(t *testing.T) {
	for want, docs := range map[string][]string{
		"english":    {"the cat is on the mat", "where are you going with that", "", "x y z"},
		"german":     {"die Katze ist nicht auf dem Sofa", "wir haben das nicht bekommen"},
		"french":     {"le chat est dans la maison", "nous avons une question pour vous"},
		"spanish":    {"el gato está en la casa", "no tengo nada para usted"},
		"italian":    {"il gatto è nella casa", "non abbiamo più niente per voi"},
		"portuguese": {"o gato não está em casa", "você tem uma resposta para mim"},
		"dutch":      {"de kat is niet in het huis", "wij hebben geen antwoord van jullie"},
		"swedish":    {"katten är inte i huset och det är bra", "vi har inte fått något svar från er"},
		"polish":     {"kot nie jest w domu", "nie mam tego i nie wiem co się dzieje"},
	} {
		if got := Languages(docs); !slices.Equal(got, []string{want}) {
			t.Errorf("%v, want %s", got, want)
		}
	}
	both := []string{"the cat is on the mat", "what is it that you have", "die Katze ist nicht da"}
	if got := Languages(both); !slices.Equal(got, []string{"english", "german"}) {
		t.Errorf("of two languages: %v", got)
	}
	if got := Languages([]string{"12 34", ""}); !slices.Equal(got, []string{"english"}) {
		t.Errorf("without words: %v", got)
	}
}
