package dedupe

import "strings"

// nicknames are first names, normalised, with the groups of names that may stand for one another.
var nicknames = nicknameGroups(`
abigail abby gail|abraham abe|adelaide addie|agnes aggie|albert al bert|alexander alex sasha sandy xander alec|alexandra alex sasha sandra|alfred alf fred|alice ali|alison ali|amanda mandy
andrew andy drew|andreas andi|angela angie|anna ann anne annie anja ania|anthony tony|antonia toni|antonio toni tonio|arthur art|barbara barb babs|bartholomew bart|beatrice bea|benjamin ben benny benji
bernard bernie|bertram bert|bridget biddy|calvin cal|cameron cam|carolina caro lina|caroline carrie carol|catherine cathy cate kate katie kathy kit|charles charlie chuck chas|charlotte lottie charlie
christian chris|christina chris tina christa|christine chris tina christi|christopher chris kit topher|clara clare|cornelia conny|cynthia cindy|daniel dan danny|david dave davy|deborah deb debbie|dennis denny
dmitri dima mitya|dominic dom nick|donald don donny|dorothy dot dotty dolly|douglas doug|edgar ed|edmund ed ted|edward ed eddie ted teddy ned|edwin ed|eleanor ellie nell nora|elena lena|elisabeth lisa elli sissi liesl
elizabeth liz lizzie beth betty eliza bess elsie libby lisa|ellen nell|emily em emmy|ernest ernie|eugene gene|evelyn evie|ferdinand ferdi|florence flo|frances fran fanny|francesco franco cesco|francis frank fran
francisco paco pancho|franz franzi|frederick fred freddy rick|friedrich fritz|gabriel gabe|gabriele gabi|geoffrey geoff jeff|george georgie|gerald gerry jerry|gerhard gerd|gertrude trudy gert|gregory greg
giuseppe beppe peppe|guillermo memo|hannah anna|hans johannes johann hannes|harold harry hal|heinrich heinz heini|helen nell|helena lena hela|henry harry hank hal|herbert bert herb|ignacio nacho|irene renie|isaac ike|isabella bella izzy
isabel bella izzy|ivan vanya|jacob jake|jacqueline jackie|jakob jake|james jim jimmy jamie|jan janek|jane janie|janet jan|jeffrey jeff|jennifer jen jenny|jeremy jerry|jessica jess jessie|joan joanie|joanna jo asia
joachim achim jochen|john jack johnny jon|johanna hanna|jonathan jon jonny nathan|jose pepe|josef sepp|joseph joe joey jo|joshua josh|judith judy|julia jule julie|karl charly|katarzyna kasia|katharina kathi katja kati
katherine kate katie kathy kat kit|kathleen kathy katie|kenneth ken kenny|klaus nikolaus niko|konstantin kostya|krzysztof krzys|laurence larry laurie|lawrence larry laurie|leonard leo len lenny|leonardo leo|lillian lily|louis lou
louise lou|lucas luke|lucille lucy|ludwig lutz|lukas luke|malgorzata gosia|magdalena lena magda|manfred manni|manuel manu manolo|margaret maggie meg peggy madge marge greta rita daisy|margarethe greta grete|maria mia mary mitzi masha
marie mia|martha marty patty|martin marty|mary molly polly|matthew matt|matthias matt hias|maurice morrie|maximilian max maxi|maxwell max|melanie mel|melissa mel lissa|michael mike mick mickey michi mischa|michelle shelly|miguel migue
mikhail misha|mildred millie|moses mo|nancy nan|natalia natasha|nathaniel nat nate|nicholas nick nicky|nicole nicky nikki|nikolai kolya|norman norm|oliver ollie|olivia liv livvy|oscar ossie|pamela pam|patricia pat patty tricia trish
patrick pat paddy|paul pauli|pauline paula|pavel pasha|penelope penny|peter pete petey|petra peti|philip phil pip|phillip phil|piotr piotrek|prudence prue|rachel rae|randolph randy|raymond ray|rebecca becky becca|reginald reg reggie
richard rick dick rich richie ricky|robert bob bobby rob robbie bert|roberto beto|roderick rod|rodney rod|roger rodge|ronald ron ronnie|rosemary rose rosie|roxanne roxy|rudolf rudi|rupert bert|russell russ|samantha sam|samuel sam sammy
sandra sandy|sarah sally sadie|sebastian seb basti|sergei seryozha|sharon shari|sigmund siggi|simon si|sofia sonya|sophia sophie|stanislaw stas staszek|stanley stan|stefan steffen|stefanie steffi|stephanie steph|stephen steve|steven steve
susan sue susie suzy|susanna susi sanne|sylvester sly|sylvia syl|tamara tammy tamar|theodor theo teddy|theodore ted theo teddy|theresa terry tess tracy resi|thomas tom tommy|timothy tim timmy|tobias tobi|tomasz tomek|ulrich uli|ulrike uli
ursula uschi ulla|valentina valya|valerie val|vanessa nessa|veronica ronnie vera|victor vic|victoria vicky tori|vincent vin vinny vince|virginia ginny|vladimir vova volodya|walter walt wally|wilhelm willi helm|wilfred wilf fred
william bill will billy willy liam|winifred winnie|wolfgang wolf|yekaterina katya|yevgeny zhenya|zachary zach zack`)

func nicknameGroups(list string) map[string][]int16 {
	m := map[string][]int16{}
	groups := strings.FieldsFunc(list, func(r rune) bool { return r == '|' || r == '\n' })
	for g, names := range groups {
		for _, name := range strings.Fields(names) {
			name = umlauts.Replace(name)
			m[name] = append(m[name], int16(g))
		}
	}
	return m
}
