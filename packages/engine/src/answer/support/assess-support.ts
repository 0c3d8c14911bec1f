import type { Citation } from "@stemma/core";
import { contradictsCalendar, toCalendarWord } from "./calendar";
import { type Evidence, type EvidencePassage, readEvidence, type Window } from "./evidence";
import { NEGATING_PREFIX } from "./negation";
import { UNSPACED } from "./normalize";
import { contradictsQuantity } from "./quantities";
import { isSameWord } from "./same-word";
import { MIN_TERM_CHARACTERS, readSentence, type Sentence } from "./sentence";
import { substitutesCharacters, substitutesName, substitutesTerm } from "./substitution";
import { hasOtherValue, mixesColumns, namesOtherRow, type TableRow } from "./table-row";
import { toUnit } from "./units";

const MARKS = /\[\d+\]/g;
/** Share of the words of a claim that one sentence of its passage must have, also in other forms. */
const MIN_COVERAGE = 0.8;
/** Share in rows of tables, which have no verbs. */
const MIN_ROW_COVERAGE = 0.5;
/** Share of pairs of characters, some of which cross from word to word. */
const MIN_PAIR_COVERAGE = 0.6;
/** Words of a claim in a row that the passage may be without: more are a statement of their own. */
const MAX_NEW_WORDS = 2;
const MAX_NEW_WORDS_OF_ROWS = 1;
/** Words and pairs that a quotation has at least: fewer are found anywhere. */
const MIN_QUOTED_TERMS = 2;

/**
 * Compares a claim with the passage that it cites, without a model and in any language. `quoted`: its words are found there
 * to the letter. `supported`: one sentence of the passage, or row of a table, has its numbers, its names and most of its
 * other words, also in other forms, and negates what it negates. Else `weak`. A claim without words is supported.
 */
export function assessSupport(claimText: string, passage: EvidencePassage): Citation["support"] {
	const claim = readSentence(claimText.replace(MARKS, ""));
	if (claim.terms.length === 0 && claim.numbers.size === 0) return "supported";
	const evidence = readEvidence(passage);
	const isQuoted = hasQuotation(claim, evidence);
	const names = evidence.isNounCase ? [] : claim.names;
	const rows = evidence.windows.flatMap(({ row }) => row ?? []);
	const supporting = evidence.windows.find(
		(window) => supports(window, claim, names) && !isOtherCell(window, claim, rows),
	);
	if (supporting !== undefined) return isQuoted ? "quoted" : "supported";
	return isQuoted && spansSentences(claim, evidence) ? "quoted" : "weak";
}

function hasQuotation({ letters, terms }: Sentence, { whole }: Evidence): boolean {
	if (terms.length < MIN_QUOTED_TERMS) return false;
	if (UNSPACED.test(letters)) return whole.letters.replaceAll(" ", "").includes(letters.replaceAll(" ", ""));
	return ` ${whole.letters} `.includes(` ${letters} `);
}

/** A quotation that no sentence has by itself. */
const spansSentences = ({ letters }: Sentence, { windows }: Evidence): boolean =>
	!windows.some((window) => window.letters.includes(letters));

const isOtherCell = ({ row }: Window, claim: Sentence, rows: readonly TableRow[]): boolean =>
	row !== undefined &&
	(namesOtherRow(claim, row, rows) || hasOtherValue(claim, row, rows) || mixesColumns(claim, row));

function supports(window: Window, claim: Sentence, names: readonly string[]): boolean {
	const { context } = window;
	if (![...claim.numbers].every((number) => hasNumber(number, window))) return false;
	const has = (word: string): boolean => hasWord(word, window) || hasWord(word, context);
	if (!names.every(has) || ![...claim.identifiers].every((name) => hasIdentifier(name, window))) return false;
	const found = claim.terms.map(has);
	return (
		isCovered(claim, found, window.row !== undefined) &&
		hasSamePolarity(claim, window) &&
		!substitutesCharacters(claim, found, window.letters) &&
		!substitutesTerm(claim, found, window) &&
		!substitutesName({ ...claim, names }, window) &&
		!contradictsMeasures(claim, window)
	);
}

/** Checks units, limits, periods and days; what is around a window counts where the window says nothing of it. */
function contradictsMeasures(claim: Sentence, { context, ...window }: Window): boolean {
	const quantities = [...window.quantities, ...context.quantities];
	if (claim.quantities.some((quantity) => contradictsQuantity(quantity, quantities))) return true;
	const rates = new Set([...window.rates, ...context.rates]);
	if (rates.size > 0 && [...claim.rates].some((rate) => !rates.has(rate))) return true;
	return contradictsCalendar(claim.calendar, window.calendar, context.calendar);
}

const hasNumber = (number: string, { numberReadings, context }: Window): boolean =>
	numberReadings.has(number) || context.numberReadings.has(number);

/** An identifier is another one where a letter differs. */
const hasIdentifier = (name: string, { identifiers, words, context }: Window): boolean =>
	identifiers.has(name) || context.identifiers.has(name) || words.has(name.toLowerCase());

/** Numbers count as words: all of them were found. */
function isCovered(
	{ terms, numbers, sequence }: Sentence,
	found: readonly boolean[],
	isRow: boolean,
): boolean {
	const isPairs = terms.some((term) => UNSPACED.test(term));
	const share = (found.filter(Boolean).length + numbers.size) / (terms.length + numbers.size);
	const minShare = isRow ? MIN_ROW_COVERAGE : MIN_COVERAGE;
	if (share < (isPairs ? MIN_PAIR_COVERAGE : minShare)) return false;
	const maxNew = isRow ? MAX_NEW_WORDS_OF_ROWS : MAX_NEW_WORDS;
	return (
		isPairs ||
		countLongestNew(sequence, new Set(terms.filter((_, index) => found[index] === false))) <= maxNew
	);
}

/** New words of a claim that no known word and no number separates. */
function countLongestNew(sequence: readonly string[], missing: ReadonlySet<string>): number {
	let longest = 0;
	let count = 0;
	for (const word of sequence) {
		if (missing.has(word)) count++;
		else if (word.length >= MIN_TERM_CHARACTERS || /^\d+$/.test(word)) count = 0;
		longest = Math.max(longest, count);
	}
	return longest;
}

function hasWord(term: string, { words, units, calendar }: Sentence): boolean {
	if (words.has(term)) return true;
	const day = toCalendarWord(term);
	if (day !== undefined) return calendar.months.has(day) || calendar.weekdays.has(day);
	if (UNSPACED.test(term)) return false;
	for (const word of words) if (isSameWord(term, word)) return true;
	const unit = toUnit(term);
	return unit !== undefined && units.has(unit);
}

/** Negations of a claim, and those of the parts of a sentence that the claim is about: both negate, or none does. */
function hasSamePolarity(claim: Sentence, window: Window): boolean {
	const sum = claim.negated.reduce((total, { count }) => total + count, 0);
	const relevant = window.negated
		.filter(
			({ terms }) =>
				2 * terms.filter((term) => hasWord(term, claim)).length >= Math.min(terms.length, claim.terms.length),
		)
		.reduce((total, { count }) => total + count, 0);
	return (sum % 2 === relevant % 2) !== hasOppositeWord(claim, window);
}

/** A word of one that the other has with a prefix that negates it. */
function hasOppositeWord(one: Sentence, other: Sentence): boolean {
	const isOpposite = (word: string, { words }: Sentence): boolean =>
		NEGATING_PREFIX.test(word) && !words.has(word) && words.has(word.replace(NEGATING_PREFIX, ""));
	return (
		one.terms.some((word) => isOpposite(word, other)) || other.terms.some((word) => isOpposite(word, one))
	);
}
