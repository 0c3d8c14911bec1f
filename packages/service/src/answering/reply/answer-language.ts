/** Scripts with the weight of one letter: a Chinese character says as much as several letters. */
const SCRIPTS: readonly (readonly [string, RegExp, number])[] = [
	["latin", /\p{Script=Latin}/gu, 1],
	["cyrillic", /\p{Script=Cyrillic}/gu, 1],
	["arabic", /\p{Script=Arabic}/gu, 1],
	["hebrew", /\p{Script=Hebrew}/gu, 1],
	["greek", /\p{Script=Greek}/gu, 1],
	["devanagari", /\p{Script=Devanagari}/gu, 1],
	["thai", /\p{Script=Thai}/gu, 1],
	["hangul", /\p{Script=Hangul}/gu, 2],
	["han", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, 3],
];
/** Share of the letters that the script of a text has. */
const MIN_SHARE = 0.6;
/** Letters, by their weight, without which a text may be a name. */
const MIN_QUESTION_WEIGHT = 6;
const MIN_ANSWER_WEIGHT = 20;

/** Words that one language alone has, or nearly: words for asking and joining, with which questions and answers are made. */
const LANGUAGE_WORDS: Readonly<Record<string, string>> = {
	english:
		"the is are was were what when where which who how why does did do of and to with for can could should must be been have has it its this that there you your not by from at they their will would",
	german:
		"was der das und ist sind wann wo wie wer warum welche welcher welches wieviel nicht ein eine einen einem einer mit von zu zum zur auf für im den dem des ich kann muss müssen wird werden gibt es sich nach bei aus oder über fährt hat haben",
	french:
		"le les des du est sont quand où comment combien pourquoi quel quelle quels quelles qui une et dans pour avec sur au aux ce cette il elle je peut doit faut pas ne par ou vous être coûte",
	spanish:
		"el los las es son cuándo dónde cómo cuánto cuánta cuántos cuesta qué quién por una y en con para del al se puede debe hay no lo está están su",
	italian:
		"il gli è sono quando dove come quanto quanti quale perché chi una e nel nella con per della dei di che si può deve non sul alla costa",
	portuguese:
		"os é são quando onde como quanto quantos qual porque quem uma e em no na com para do da dos das se pode deve não ao você custa",
	dutch:
		"het een is zijn wanneer waar hoe wie waarom welke hoeveel en van met voor op niet kan moet wordt worden er naar bij uit of aan",
	turkish:
		"bir ve bu ne zaman nerede nasıl kim neden hangi kaç için ile mi mı mu mü değil olarak olan var yok daha kadar saat her sonra",
};

const WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
	Object.entries(LANGUAGE_WORDS).map(([language, words]) => [language, new Set(words.split(" "))]),
);
/** Words of one language that make it that of a question, and of an answer. */
const MIN_QUESTION_WORDS = 2;
const MIN_ANSWER_WORDS = 3;
/** Factor by which a language has more words than the next. */
const MIN_LEAD = 2;

/** Names of languages: a question with one may ask for an answer in it. */
const LANGUAGE_NAMES =
	/(?<!\p{L})(?:english|german|french|spanish|italian|portuguese|dutch|turkish|arabic|chinese|japanese|russian|korean|englisch\p{L}*|deutsch\p{L}*|französisch\p{L}*|spanisch\p{L}*|italienisch\p{L}*|russisch\p{L}*|chinesisch\p{L}*|arabisch\p{L}*|türkisch\p{L}*|anglais\p{L}*|allemande?|français\p{L}*|espagnole?|arabe|chinois|russe|inglés|alemán|francés|inglese|tedesco|ingilizce|almanca|türkçe|translat\p{L}*|übersetz\p{L}*|tradu\p{L}*)(?!\p{L})|[英中德法日俄韩]文|[英中汉德法日俄韩]语|翻译|英語|日本語|中国語|訳|(?:ال|بال)(?:إ|ا)?(?:نجليزية|نكليزية|عربية|فرنسية|ألمانية|صينية)|ترجم|по-(?:русски|английски|немецки|французски)|английск\p{L}*|русск\p{L}*|перевед\p{L}*/iu;

/** Language of a question, by its script and its common words; undefined where it cannot be told. */
export function findQuestionLanguage(question: string): string | undefined {
	const script = findScript(question, 1);
	if (script === "latin") return findLanguage(question, MIN_QUESTION_WORDS);
	if (script === "han") return hasKana(question) ? "japanese" : "chinese";
	return script === "cyrillic" ? "russian" : script;
}

/**
 * Checks whether an answer is in another language than its question. False where either cannot be told: short texts,
 * names, mixed languages, and questions that name a language.
 */
export function isOtherLanguage(question: string, answer: string): boolean {
	if (LANGUAGE_NAMES.test(question)) return false;
	const prose = withoutQuotations(answer);
	const asked = findScript(question, MIN_QUESTION_WEIGHT);
	const answered = findScript(prose, MIN_ANSWER_WEIGHT);
	if (asked === undefined || answered === undefined) return false;
	if (asked !== answered) return true;
	if (asked === "han") return hasKana(question) !== hasKana(prose);
	if (asked !== "latin") return false;
	const expected = findLanguage(question, MIN_QUESTION_WORDS);
	const actual = findLanguage(prose, MIN_ANSWER_WORDS);
	return expected !== undefined && actual !== undefined && expected !== actual;
}

/** A text without code, and without what it quotes: quotations are in the language of their passages. */
const withoutQuotations = (text: string): string =>
	text
		.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, " ")
		.replace(/"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』/g, " ")
		.replace(/https?:\/\/\S+/g, " ");

const hasKana = (text: string): boolean => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);

function findScript(text: string, minWeight: number): string | undefined {
	const weights = SCRIPTS.map(([name, letters, weight]) => ({
		name,
		weight: (text.match(letters)?.length ?? 0) * weight,
	}));
	const total = weights.reduce((sum, { weight }) => sum + weight, 0);
	return total < minWeight ? undefined : weights.find(({ weight }) => weight >= MIN_SHARE * total)?.name;
}

function findLanguage(text: string, minWords: number): string | undefined {
	const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
	const [first, second] = [...WORDS]
		.map(([language, known]) => ({ language, count: words.filter((word) => known.has(word)).length }))
		.sort((one, other) => other.count - one.count);
	if (first === undefined || first.count < minWords) return undefined;
	return first.count >= MIN_LEAD * (second?.count ?? 0) ? first.language : undefined;
}
