package columns

import (
	"strings"
	"unicode"
)

// Words of headers, in several languages. A header alone decides nothing: the cells must have the shape
// that the word promises.
var (
	// idWords name columns of ids.
	idWords = split(`id ids uuid guid key index row rows rowid rowname rownames unnamed oid uid pk no nr num number nummer numero número numéro num. nº n° nro matricule matricola matrícula ref reference referenz referencia référence riferimento
		kennung kennzeichen schlüssel schluessel clave clé cle chiave chave sleutel nyckel nøgle klucz kod código codigo code accession sku ean isbn serial seriennummer kundennummer kundennr tunnus azonosító identifiant identificador identificativo numer`)
	// codeWords name columns of codes.
	codeWords = split(`code type class kind category zip postcode postal plz cap cp cep kode código codigo codice kod postnummer psč postleitzahl branch filiale sucursal agence`)
	// coordinateWords name columns of degrees on the globe.
	coordinateWords = split(`lat latitude latitud latitudine breite breitengrad breddegrad lon lng long longitude longitud longitudine länge längengrad laengengrad lengdegrad coord coords azimuth`)
	// personWords name columns of names of persons.
	personWords = split(`name names fullname firstname lastname surname forename vorname nachname familienname kontoinhaber inhaber kunde nom prénom prenom nombre apellido apellidos nome cognome sobrenome naam voornaam achternaam namn efternamn
		förnamn navn fornavn etternavn imię nazwisko jméno příjmení név vezetéknév nimi sukunimi customer client patient employee mitarbeiter contact owner author holder titular`)
)

func split(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// headerWords parts a header into its words, in lower case: customerId is customer and id.
func headerWords(name string) (out []string) {
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	last := rune(0)
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '°' && r != 'º' {
			flush()
		} else {
			if unicode.IsUpper(r) && unicode.IsLower(last) {
				flush()
			}
			b.WriteRune(r)
		}
		last = r
	}
	flush()
	return out
}

// headerSays reports whether one of the words of a header is in the list.
func headerSays(name string, list map[string]bool) bool {
	if list[strings.ToLower(name)] {
		return true
	}
	for _, w := range headerWords(name) {
		if list[w] {
			return true
		}
	}
	return false
}

// namesID reports whether a column is called as ids are.
func namesID(name string) bool {
	return headerSays(name, idWords) || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID")
}

// namesCode reports whether a column is called as codes are.
func namesCode(name string) bool {
	if headerSays(name, codeWords) {
		return true
	}
	s := strings.ToLower(name)
	for _, word := range []string{"code", "type", "class", "kind", "category", "zip", "postcode", "postal", "plz"} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// namesPerson reports whether a column is called as names of persons are.
func namesPerson(name string) bool { return headerSays(name, personWords) }

// isPersonName reports whether s is two or three words with capitals, or Last, First.
func isPersonName(s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	if len(words) < 2 || len(words) > 4 {
		return false
	}
	for _, w := range words {
		r := []rune(w)
		if !unicode.IsUpper(r[0]) && len(r) > 3 || strings.ContainsAny(w, "0123456789@/") {
			return false
		}
	}
	return true
}
