/** English words that say nothing about what a question is about, separated by blanks. */
export const ENGLISH_STOP_WORDS =
	"a about after all also am an and any are as at be been before being but by can could did do does doing for from get had has " +
	"have having he her here hers him his how i if in into is it its itself just me may might more most must my no nor not of " +
	"off on once only or other our ours out over own shall she should so some such than that the their theirs them then there " +
	"these they this those through to too under until up us very was we were what when where which while who whom whose why will " +
	"with would you your yours s t d ll re ve m";

/** English words of requests, besides the function words. */
const ENGLISH = "give given gives many much please tell";
const GERMAN =
	"aber als am an auf aus bei bis das dass dem den der des die du durch ein eine einem einen einer eines er es fur hat ich " +
	"ihr im in ist kann man mit nach nicht oder sich sie sind so um und von vor wann war waren warum was welche welchem welchen " +
	"welcher welches wem wen wenn wer werden wessen wie wieso wir wird wo wobei wodurch wofur woher wohin womit woran worauf " +
	"woraus worin wurde wurden zu zum zur habe haben hast hatte mein meine meinem meinen meiner mir mich unser unsere viel " +
	"viele vielen wieviel gibt";
const ROMANCE =
	"al au aux avec ce cette ces comme como con cual cuales cuando cuanto dans de del des donde du e el elle en es est et " +
	"il ils la las le les lo los mais ne ni o ou para par pas por pour pourquoi puede quand que quel quelle quelles quels " +
	"qui quoi se ser son sont su sur un una une unos y combien comment a ete etait etaient sous leur leurs fut furent";
const RUSSIAN =
	"а бы был была были было в во вы где для до его ее если есть и из или их к как какая какие какими каких какого какое какой " +
	"каком какому какую кем ко когда кого кому которая которые который кто куда ли мы на не него но о об он она они от откуда по " +
	"под почему при с сколько со также то у чего чей чем чему что чтобы это";
const TURKISH =
	"acaba bir bu da daha de değil degil en gibi hangi hangisi hangileri icin ile ise kac kacıncı kacta kim kime kimdir kimin " +
	"kimler mi mı mu mu nasıl nasil ne neden nedir nedeniyle nelerdir nerede nereden nereye neresi neyi neydi ve veya ya zaman " +
	"kadar olan olarak vardır vardir var";
const ARABIC =
	"ما ماذا من متى اين أين كيف كم هل لماذا لم لا في على إلى الى عن مع هو هي هم التي الذي الذين هذا هذه ذلك تلك كان كانت أن ان " +
	"الي علي متي أي اي و أو او بين قد عند كل تم يتم";

/** Created when first needed, so that bundles of pages that compare no words do not have it. */
let stopWords: ReadonlySet<string> | undefined;

/** Checks whether a folded word is for asking or joining; one that means something in another of these languages is none. */
export function isStopWord(word: string): boolean {
	stopWords ??= new Set(
		[ENGLISH_STOP_WORDS, ENGLISH, GERMAN, ROMANCE, RUSSIAN, TURKISH, ARABIC].join(" ").split(" "),
	);
	return stopWords.has(word);
}

/** Phrases for asking in languages whose words are not spaced. */
export const QUESTION_PHRASES =
	/什么时候|什麼時候|为什么|為什麼|什么|什麼|多少|哪一?[个些里年位种座条]|哪|如何|怎么样?|怎樣|怎样|为何|何时|何地|是谁|谁|誰|是否|几[个年月天]|吗|呢|何(?:年|月|日|時|人|回|個|歳|という)|なんという|何|どのような|どの|どこ|いつ|いくつ|いくら|なぜ|언제|어디|누구|무엇|얼마나?|어떻게|왜/gu;
