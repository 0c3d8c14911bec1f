const ENGLISH =
	"a about after all also am an and any are as at be been before being but by can could did do does doing for from get " +
	"give given gives had has have having he her here him his how i if in into is it its just me may might more most much " +
	"many must my no not of off on once only or other our out over own please shall she should so some such tell than that " +
	"the their them then there these they this those through to too under until up us very was we were what when where " +
	"which while who whom whose why will with would you your s t d ll re ve m";
const GERMAN =
	"aber als am an auf aus bei bis das dass dem den der des die du ein eine einem einen einer eines er es fur hat ich ihr " +
	"im in ist ist kann man mit nach nicht oder sich sie sind so um und von vor wann was welche welchem welchen welcher " +
	"welches wenn wer wie wieso wir wird wo zu zum zur " +
	"habe haben hat hast hatte mein meine meinem meinen meiner mir mich unser unsere viel viele vielen wieviel gibt es";
const ROMANCE =
	"al au aux avec ce cette ces comme como con cual cuales cuando cuanto dans de del des donde du e el elle en es est et " +
	"il ils la las le les lo los mais ne ni o ou para par pas por pour pourquoi puede quand que quel quelle quelles quels " +
	"qui quoi se ser son sont su sur un una une unos y";

/** Function words and question words; a word that means something in another of these languages is not among them. */
export const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${GERMAN} ${ROMANCE}`.split(" "));
