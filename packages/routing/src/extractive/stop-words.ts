import { ENGLISH_STOP_WORDS } from "@stemma/core/internal";

/** English words of requests, besides the function words. */
const ENGLISH = "give given gives many much please tell";
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
export const STOP_WORDS: ReadonlySet<string> = new Set(
	`${ENGLISH_STOP_WORDS} ${ENGLISH} ${GERMAN} ${ROMANCE}`.split(" "),
);
