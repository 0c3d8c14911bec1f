const ENDINGS = /(?:ations?|ingly|ings?|edly|ments?|ied|ies|ers?|ed|en|es|ly|e|n|s|y)$/;
const RUSSIAN_ENDING =
	/(?<=\p{Script=Cyrillic}{3})(?:[иы]?(?:ями|ами|ях|ах|ям|ам)|[ео]го|[ео]му|[иы]ми|[иы]х|[иы]м|[аеиоуыэюя]й|[ая]я|[ео]е|[иы]е|[ую]ю|[ео]м|[ео]в|[иы]?[аеиоуыэюяь]|[аеиуыя]?(?:ть|ет|ит|ют|ут|ат|ят)(?:ся|сь)?|[аеиуыя](?:л|ла|ло|ли)(?:ся|сь)?)$/u;
const ARABIC_ARTICLE = /^(?:[وفبك]?ال|لل)(?=..)|^و(?=...)/u;
const ARABIC_ENDING = /(?<=..)(?:ها|هم|نا|ان|ات|ون|ين|يه|ه|ي|ا)$/u;
const STARTS_ARABIC = /^\p{Script=Arabic}/u;
const MIN_STEM_CHARACTERS = 4;
/** Share of a word that its forms have in common, and how many characters that may be. */
const BEGINNING_SHARE = 0.6;
const MAX_BEGINNING_CHARACTERS = 7;
/** First character behind the Latin and Greek letters. */
const FIRST_CYRILLIC = "\u0400";

/** Cuts common endings of European languages and Arabic: rough, but the same on both sides of a comparison. */
export function toStem(word: string): string {
	if (word >= FIRST_CYRILLIC) return toArabicBase(word).replace(RUSSIAN_ENDING, "");
	const [ending = ""] = ENDINGS.exec(word) ?? [];
	const stemmed = word.slice(0, word.length - ending.length);
	if (stemmed.length >= MIN_STEM_CHARACTERS) return stemmed;
	const singular = word.length >= MIN_STEM_CHARACTERS ? word.replace(/(?<=[^s])s$/, "") : word;
	return singular.replace(/(?<=..)e$/, "");
}

/** An Arabic word without article and ending; any other word unchanged. */
export const toArabicBase = (word: string): string =>
	STARTS_ARABIC.test(word) ? word.replace(ARABIC_ARTICLE, "").replace(ARABIC_ENDING, "") : word;

/** The letters that forms of a word begin with; a short word or a number is whole. */
export function toBeginning(word: string): string {
	const base = [...toArabicBase(word)];
	if (base.length <= MIN_STEM_CHARACTERS || /^\p{N}/u.test(word)) return word;
	const length = Math.round(base.length * BEGINNING_SHARE);
	return base.slice(0, Math.max(MIN_STEM_CHARACTERS, Math.min(MAX_BEGINNING_CHARACTERS, length))).join("");
}
