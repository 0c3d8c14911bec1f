/** A stretch of a text; `end` is exclusive. */
export interface TextRange {
	readonly start: number;
	readonly end: number;
}

/** A line end, or a run of sentence marks with the closing quotes, brackets and citation marks that belong to it. */
const STOP =
	/\n+|(?:[.!?…]+|[。！？｡．؟۔।॥։።፧။។៕]+)(?:["'”’»›)\]」』）】》〉]|\[\d{1,6}(?:\s?[,;]\s?\d{1,6})*\])*/gu;
const UNSPACED_MARK = /^[。！？｡．۔।॥։።፧။។៕]/u;

/** Abbreviations that a sentence does not end with. */
const ABBREVIATIONS = new Set(
	(
		"mr mrs ms dr prof st vs e.g i.e cf al approx resp dept gen col sen rep sgt capt hon rev " +
		"bzw ca vgl z.b d.h u.a i.d.r ggf bspw evtl sog inkl exkl hr fr mme mlle mgr sra srta ud uds p.ej"
	).split(" "),
);
/** Abbreviations only before a number. */
const NUMBER_ABBREVIATIONS = new Set("no nr fig figs art abs p pp s vol sec ch eq ver tel nº núm".split(" "));
const GERMAN_MONTH = /^(?:Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/u;

/**
 * The sentences of a text, in order, without the blanks around them. A line end always ends one. Full stops of
 * abbreviations, initials, decimals and names (`httpd.conf`) do not. The same on every platform, which `Intl.Segmenter`
 * is not: engines differ, React Native has none, and it ends a sentence at "Dr.".
 */
export function splitSentences(text: string): TextRange[] {
	const ranges: TextRange[] = [];
	let start = 0;
	for (const { 0: stop, index } of text.matchAll(STOP)) {
		if (index < start || !endsSentence(text, stop, index, start)) continue;
		addTrimmed(ranges, text, start, index + stop.length);
		start = index + stop.length;
	}
	addTrimmed(ranges, text, start, text.length);
	return ranges;
}

function endsSentence(text: string, stop: string, index: number, start: number): boolean {
	if (stop.startsWith("\n") || UNSPACED_MARK.test(stop)) return true;
	const following = text.slice(index + stop.length, index + stop.length + 40);
	if (following === "") return true;
	const next = /^[^\S\n]+([^\s\p{L}\p{N}]*)(\S*)/u.exec(following);
	if (next === null) return following.startsWith("\n");
	const word = next[2] ?? "";
	if (/^\p{Ll}/u.test(word)) return false;
	return !stop.startsWith(".") || stop.startsWith("..") || !isAbbreviation(text.slice(start, index), word);
}

/** @param before - the sentence so far, up to its full stop; `next` is the word after it. */
function isAbbreviation(before: string, next: string): boolean {
	const word = /[\p{L}\p{N}.º]+$/u.exec(before.slice(-24))?.[0] ?? "";
	const lower = word.toLowerCase();
	if (ABBREVIATIONS.has(lower)) return true;
	if (NUMBER_ABBREVIATIONS.has(lower) && /^\p{N}/u.test(next)) return true;
	if (/^\d{1,2}$/.test(word)) return before.trim() === word || GERMAN_MONTH.test(next);
	return /^\p{Lu}$/u.test(word) && word !== "I";
}

function addTrimmed(ranges: TextRange[], text: string, from: number, to: number): void {
	let start = from;
	let end = to;
	while (start < end && isBlank(text, start)) start++;
	while (end > start && isBlank(text, end - 1)) end--;
	if (end > start) ranges.push({ start, end });
}

const isBlank = (text: string, at: number): boolean => (text[at] ?? "").trim() === "";
