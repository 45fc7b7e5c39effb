package prepare

import (
	"cmp"
	"slices"
	"strings"
)

// stopLists are the built-in lists of stop words, by language.
var stopLists = map[string]string{"english": english, "german": german, "french": french, "spanish": spanish,
	"italian": italian, "portuguese": portuguese, "dutch": dutch, "swedish": swedish, "polish": polish}

// How the languages of documents are recognised.
const (
	languageDocs  = 2000 // that are looked at, spread evenly
	languageHits  = 2    // stop words that a document must have in a language to be of it
	languageShare = 0.05 // of these documents that must be of a language for its words to be left out
)

// Languages returns the languages of the built-in stop words in which the documents are written, the
// commonest first; English where none is recognised. A document is of the language with most
// different stop words in it, of none where two have as many.
func Languages(docs []string) []string {
	of := map[string][]string{} // by word
	for name, list := range stopLists {
		for w := range strings.FieldsSeq(list) {
			of[w] = append(of[w], name)
		}
	}
	count, all := map[string]int{}, 0
	step := max(1, len(docs)/languageDocs)
	for i := 0; i < len(docs); i += step {
		seen, hits := map[string]bool{}, map[string]int{}
		Words(docs[i], func(w []byte) {
			if names := of[string(w)]; names != nil && !seen[string(w)] {
				seen[string(w)] = true
				for _, name := range names {
					hits[name]++
				}
			}
		})
		best, second := "", 0
		for name, n := range hits {
			switch {
			case n > hits[best]:
				best, second = name, hits[best]
			case n > second:
				second = n
			}
		}
		if hits[best] >= languageHits && hits[best] > second {
			count[best]++
			all++
		}
	}
	var out []string
	for name, n := range count {
		if float64(n) >= languageShare*float64(all) {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return []string{"english"}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	return out
}

const german = `
der die das den dem des ein eine einer eines einem einen kein keine keiner keinen keinem keines
ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sich man
mein meine meiner meinen meinem meines dein deine deiner deinen deinem sein seine seiner seinen seinem seines
ihre ihrer ihren ihrem ihres unser unsere unserer unseren unserem euer eure
dieser diese dieses diesen diesem jener jene jenes jenen jenem welcher welche welches welchen welchem
wer was wen wem wessen wo wann warum wie wieso weshalb wohin woher
bin bist ist sind seid war waren wäre wären gewesen habe hast hat haben habt hatte hatten hätte hätten gehabt
werde wirst wird werden wurde wurden würde würden geworden worden kann kannst können könnt konnte konnten könnte könnten
muss musst müssen musste mussten müsste soll sollen sollte sollten will willst wollen wollte wollten möchte möchten
darf dürfen durfte mag mögen tun tut getan lassen lässt geht gehen gibt machen macht
und oder aber denn sondern doch jedoch weil da wenn als ob dass daß damit bevor nachdem während obwohl falls sowie
in im an am auf aus bei beim bis durch für gegen mit nach neben ohne seit über um unter von vom vor wegen zu zum zur zwischen hinter ab
nicht nichts nie niemals nur auch noch schon sehr so dann dort hier jetzt immer wieder mehr viel viele vielen wenig weniger
alle allem allen aller alles andere anderen anderer anderes beide einige einigen etwas jede jeder jedes jeden jedem manche mehrere
ja nein mal also dabei dazu daran darauf davon dadurch daher deshalb trotzdem eben etwa fast ganz gar genau kaum leider nun
oben unten schließlich sogar sonst überhaupt vielleicht wirklich wohl zwar zusammen
`

const french = `
le la les l un une des du de d au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs
je tu il elle on nous vous ils elles me te se moi toi lui eux y en qui que quoi dont où quand comment pourquoi quel quelle quels quelles
suis es est sommes êtes sont étais était étions étaient été être sera seront serait fut ai as a avons avez ont avais avait avaient eu avoir aura auraient aurait
fait faire fais font peut peux pouvez peuvent pouvait pouvoir doit dois devez doivent veut veux voulez va vais allez vont aller
et ou mais donc or ni car si comme lorsque puisque quoique parce afin ainsi alors
dans par pour sur sous avec sans entre vers chez contre depuis pendant avant après jusque jusqu' dès hors selon
ne pas plus moins très trop peu assez aussi encore déjà toujours jamais rien tout tous toute toutes autre autres même mêmes
chaque plusieurs quelque quelques aucun aucune certains certaines tel telle tels telles ici là cela ça ceci celui celle ceux celles
oui non bien mal puis ensuite enfin cependant pourtant
c'est j'ai n'est qu'il qu'elle d'un d'une l'on s'est n'a
`

const spanish = `
el la los las lo un una unos unas al del de este esta estos estas ese esa esos esas aquel aquella aquellos esto eso aquello
yo tú él ella usted nosotros nosotras vosotros ellos ellas ustedes me te se nos os le les mí ti sí mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro
que qué quien quién quienes cual cuál cuales cuando cuándo donde dónde como cómo cuanto cuánto porque por
soy eres es somos son era eras éramos eran fui fue fueron ser sea sean siendo sido estoy está están estaba estaban estar estado estamos
he has ha hemos han había habían haber hay hubo tengo tiene tienen tenemos tenía tener puede pueden puedo podemos poder debe deben hacer hace hacen hecho va voy van ir quiere quiero
y e o u pero sino ni aunque si pues mientras
a ante bajo con contra desde durante en entre hacia hasta mediante para según sin sobre tras
no nada nunca jamás ya muy más menos mucho mucha muchos muchas poco poca pocos pocas tan tanto también tampoco todavía aún siempre solo sólo
todo toda todos todas otro otra otros otras mismo misma mismos cada algún alguno alguna algunos algunas ningún ninguna algo alguien nadie
aquí ahí allí ahora luego entonces después antes así bien mal
`

const italian = `
il lo la i gli le l un uno una di del dello della dei degli delle d a al allo alla ai agli alle da dal dallo dalla dai dalle
in nel nello nella nei negli nelle con col su sul sullo sulla sui sulle per tra fra questo questa questi queste quello quella quelli quelle quel quei
io tu lui lei noi voi loro mi ti si ci vi me te sé ne mio mia miei mie tuo tua tuoi suo sua suoi sue nostro nostra nostri vostro vostra
che chi cui quale quali quando dove come perché quanto quanta quanti cosa
sono sei è siamo siete era erano essere stato stata stati sarà saranno sia ho hai ha abbiamo avete hanno aveva avevano avere avuto
può possono posso potete potere deve devono devo dovere vuole voglio fare fa fanno fatto va vado andare
e ed o ma però anche se né dunque quindi mentre benché poiché affinché
non più meno molto molta molti molte poco poca pochi troppo tanto così già ancora sempre mai solo soltanto niente nulla
tutto tutta tutti tutte altro altra altri altre ogni qualche alcuni alcune nessuno nessuna stesso stessa
qui qua lì là ora adesso poi prima dopo oggi bene male sì no c'è dell' nell' all'
`

const portuguese = `
o a os as um uma uns umas do da dos das de no na nos nas em ao à aos às pelo pela pelos pelas por este esta estes estas esse essa esses essas aquele aquela isto isso aquilo
eu tu ele ela nós vós eles elas você vocês me te se lhe lhes nos meu minha meus minhas teu tua seu sua seus suas nosso nossa nossos nossas
que quem qual quais quando onde como porque quanto quanta cujo
sou és é somos são era eram fui foi foram ser seja sejam sido estou está estão estava estavam estar estado
tenho tem têm temos tinha tinham ter tido há havia haver pode podem posso podemos poder deve devem fazer faz fazem feito vai vou vão ir quero quer
e ou mas porém nem se embora enquanto pois portanto
com contra desde durante entre até para sem sob sobre após ante
não nada nunca já muito muita muitos muitas pouco pouca poucos mais menos tão também ainda sempre só apenas
todo toda todos todas outro outra outros outras mesmo mesma cada algum alguma alguns algumas nenhum nenhuma algo alguém ninguém
aqui ali lá agora depois antes então assim bem mal sim
`

const dutch = `
de het een deze dit die dat ik jij je u hij zij ze wij we jullie mij me jou hem haar ons hun hen mijn jouw uw zijn onze
wie wat waar wanneer waarom hoe welk welke
ben bent is was waren geweest wordt worden werd werden geworden heb hebt heeft hebben had hadden gehad
kan kunt kunnen kon konden moet moeten moest mag mogen mocht wil wilt willen wilde zal zult zullen zou zouden doen doet gaan gaat komt komen laten
en of maar want dus omdat als dan toen terwijl hoewel indien zodat
in op aan bij met van voor naar uit over onder door tegen tot tussen zonder sinds na om te ter tijdens binnen buiten per
niet niets nooit geen wel ook nog al alleen zeer heel erg veel meer meest weinig minder alle alles allemaal andere ander iets iemand niemand elk elke ieder iedere enkele sommige
er hier daar nu toch weer altijd vaak soms zo zelf ja nee eens even
`

const swedish = `
en ett den det de dem denna detta dessa jag du han hon vi ni mig dig honom henne oss er sig man min mitt mina din ditt dina sin sitt sina hans hennes vår vårt våra deras
som vad vem var när varför hur vilken vilket vilka
är var varit vara blir blev blivit bli har hade haft ha kan kunde kunnat ska skall skulle vill ville måste får fick göra gör gjorde gå går kommer
och eller men utan för att om eftersom så då medan fast innan
i på av till från med vid under över mellan genom mot hos efter före utanför inom bland
inte ingen inget inga aldrig alltid också även bara mycket mer mest lite många få alla allt andra annan annat någon något några varje själv samma
här där nu sedan igen redan ännu ja nej
`

const polish = `
i a oraz lub albo ale lecz więc bo gdyż ponieważ że żeby aby jeśli jeżeli gdy kiedy choć
ja ty on ona ono my wy oni one mnie mi ciebie ci cię jego go jemu mu ją jej nas nam was wam ich im nich sobie się siebie
mój moja moje mojego twój twoja swój swoja swoje nasz nasza nasze wasz ten ta to te ci tego tej tych tym tymi tę tamten
kto co jaki jaka jakie który która które którzy których którym gdzie jak dlaczego ile
jest są był była było byli były być będzie będą jestem jesteś mam masz ma mamy mają miał miała mieć może mogą można mógł musi trzeba chcę chce
w we z ze na do od dla po za pod nad przed przez przy o u bez między oprócz podczas według
nie tak tylko też także już jeszcze bardzo więcej mniej dużo mało zawsze nigdy nic wszystko wszyscy wszystkie każdy każda inny inna inne sam tu tam teraz potem
`
