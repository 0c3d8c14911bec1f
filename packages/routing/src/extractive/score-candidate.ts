import type { Candidate } from "./candidate";
import { intersect, sumWeights, type TermWeight } from "./term-weights";

/** Question, prepared for comparing. */
export interface ParsedQuestion {
	readonly terms: ReadonlySet<string>;
	/** True where the question asks how many, how much, how long or when. */
	readonly asksForNumber: boolean;
}

const NUMBER_QUESTION =
	/\b(?:how (?:many|much|long|often|old|far|large|big|high|fast|soon|late)|when|what (?:year|date|time|percentage|amount)|which (?:year|date)|(?:minimum|maximum|amount|number|price|cost|fee)|wie ?viele?|wie (?:lange|oft|alt|hoch|gro(?:ß|ss))|wann|combien|quand|cu[aá]nt[oa]s?|cu[aá]ndo|quant[oiae]|quando|ka[cç]|ne zaman)(?![\p{L}])|何(?:年|月|日|時|人|回|個|円|歳|パーセント)|いつ|いくつ|いくら|多少|几|什么时候|何时|언제|얼마|몇/iu;

export const asksForNumber = (question: string): boolean => NUMBER_QUESTION.test(question);

/** The question without the word that only says what kind of number is asked for, unless it is all there is. */
export function dropMeasureWords(question: string): string {
	const rest = question.replace(/\b(how) (?:long|often|old|far|large|big|high|fast|soon|late)\b/giu, "$1");
	return /[\p{L}\p{N}]/u.test(rest.replace(/\bhow\b/giu, "")) ? rest : question;
}

/** Weight of a term in the surroundings of a sentence, compared to one in the sentence. */
const CONTEXT_WEIGHT = 0.35;
const NUMBER_BONUS = 1.3;
const QUESTION_PENALTY = 0.3;
const FRAGMENT_PENALTY = 0.6;
/** The first passages were found to fit best. */
const RANK_BONUS = 0.3;
/** Terms of a sentence that is neither short nor long. */
const TYPICAL_TERMS = 12;

/**
 * Scores how well a sentence answers the question; 0 if it has nothing to do with it. `rank` counts passages from 0.
 */
export function scoreCandidate(
	candidate: Candidate,
	question: ParsedQuestion,
	rank: number,
	termWeight: TermWeight,
): number {
	const { text, terms, source } = candidate;
	const ownWeight = sumWeights(intersect(question.terms, terms), termWeight);
	if (ownWeight === 0) return 0;
	let score = (ownWeight + contextScore(candidate, question, termWeight)) * lengthFactor(terms.size);
	if (question.asksForNumber && /\p{N}/u.test(text)) score *= NUMBER_BONUS;
	if (/[?？]["”’»)]*$/u.test(text)) score *= QUESTION_PENALTY;
	if (isFragment(text, terms.size)) score *= FRAGMENT_PENALTY;
	return source.kind === "passage" ? score * (1 + RANK_BONUS / (1 + rank)) : score * (1 + RANK_BONUS);
}

function contextScore(
	{ terms, source }: Candidate,
	question: ParsedQuestion,
	termWeight: TermWeight,
): number {
	if (source.kind !== "passage") return 0;
	const contextTerms = intersect(question.terms, source.context).filter((term) => !terms.has(term));
	return CONTEXT_WEIGHT * sumWeights(contextTerms, termWeight);
}

/** Long sentences hold more words by chance. */
const lengthFactor = (terms: number): number => 1 / (0.75 + 0.25 * Math.max(1, terms / TYPICAL_TERMS));

/** Headings, link lists and what was cut off: short, or many cells, and no sentence mark at the end. */
function isFragment(text: string, terms: number): boolean {
	if (/[.!?…。！？:：]["”’»)\]」』）]*$/u.test(text)) return false;
	return terms < 5 || (text.match(/ [|·•>»] /g) ?? []).length > 5;
}
