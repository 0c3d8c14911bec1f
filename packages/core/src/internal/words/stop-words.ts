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
	"aber als am an auf aus bei bis brauche braucht da das dass dein deine dem den denn der des die du durch ein eine einem einen einer eines er es etwas fur " +
	"gibt habe haben hast hat hatte ich ihr ihre im in ist jede jeder jedes kann kannst konnen man mein meine meinem meinen meiner mich mir mit " +
	"muss mussen nach nicht nur ob oder sein seine sich sie sind so soll sollte um und uns unser unsere viel viele vielen vom von vor wann war waren " +
	"warum was welche welchem welchen welcher welches wem wen wenn wer werde werden wessen wie wieso wieviel wir wird wo wobei wodurch wofur woher wohin " +
	"womit woran worauf woraus worin wurde wurden zu zum zur";
const ROMANCE =
	"a al au aux avec c ce cela ces cet cette combien comme comment como con cual cuales cuando cuanto dans de del des doit dois doivent donde dont du e el elle elles en es " +
	"est et etait etaient ete faire faut fut furent il ils j je jusqu l la las le les leur leurs lo los lorsque mais me mes mon ma n ne ni nos notre nous o on ont ou " +
	"para par pas peut peux peuvent por pour pourquoi puede puis qu quand que quel quelle quelles quels qui quoi sa se ser sera ses si son sont sous su sur tu " +
	"un una une unos votre vos vous y";

const RUSSIAN =
	"а бы был была были было быть в вам вас весь во все всех всю вы где для до ее ей ему если есть еще же за зачем здесь и из или им их " +
	"к как какая какие какими каких какого какое какой каком какому какую кем ко когда кого кому которая которые который кто куда ли лучше " +
	"меня мне мог могу могут может можете можно мои мой моя мы на надо нам нас наш не него нее нельзя нет ни них но нужен нужна нужно нужны о об он " +
	"она они от откуда отчего перед по под почему при с свои своего своей свой свою себе себя сколько со также такая такие такое такой " +
	"там то тоже только у уже чего чей чем чему что чтобы это этого этой этом этот";
const TURKISH =
	"acaba bana ben benim bir bu cok da daha de degil denir edilir en gibi gore hangi hangileri hangisi her icin ile ise kac kacinci kacta kadar " +
	"kim kimdir kime kimin kimler mi midir miyim miyiz mu mudur ne neden nedeniyle nedir nelerdir nerede nerededir nereden neresi " +
	"nereye neye neyi neydi nasil nasildir nicin niye o olan olarak olur once onu sonra uzere var vardir ve veya ya yok zaman";
const ARABIC =
	"اذا الذي الذين التي الى الي ام ان انا انه او اي ايضا اين ايهما بعض بماذا به بها بين تم ثم حتي حيث ذلك تلك " +
	"عن عنه عنها علي عليه عليها عند فى في فيه فيها قبل بعد قد كان كانت كل كم كيف لا لان لم لماذا لمن لن له لها ليس ليست ما ماذا متي مع مما " +
	"من منه منها نحن هذا هذه هل هم هناك هو هي و يتم يجب يكون تكون يمكن يمكنني يوجد توجد";

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
	/什么时候|什麼時候|为什么|為什麼|什么|什麼|多少|能不能|可不可以|可以|能否|是不是|有没有|怎么办|应该|哪一?[个些里年位种座条]|哪|如何|怎么样?|怎樣|怎样|为何|何时|何地|是谁|谁|誰|是否|几[个年月天]|吗|呢|[的了着们这那我你您他她它]|何(?:年|月|日|時|人|回|個|歳|という)|なんという|何|どのような|どの|どこ|いつ|いくつ|いくら|なぜ|언제|어디|누구|무엇|얼마나?|어떻게|왜/gu;
