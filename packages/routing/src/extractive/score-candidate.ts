import { sumCovered } from "@stemma/core/internal";
import type { Candidate } from "./candidate";

/** Question, prepared for comparing. */
export interface ParsedQuestion {
	/** Weights of its terms: the rarer, the higher. */
	readonly weights: readonly number[];
	/** True where the question asks how many, how much, how long or when. */
	readonly asksForNumber: boolean;
	/** True where the question itself is about what is not so. */
	readonly isNegated: boolean;
}

const NUMBER_QUESTION =
	/\b(?:how (?:many|much|long|often|old|far|large|big|high|fast|soon|late)|when|what (?:year|date|time|percentage|amount)|which (?:year|date)|(?:minimum|maximum|amount|number|price|cost|fee)|wie ?viele?|wie (?:lange|oft|alt|hoch|gro(?:ß|ss))|wann|combien|quand|cu[aá]nt[oa]s?|cu[aá]ndo|quant[oiae]|quando|ka[cç]|ne zaman)(?![\p{L}])|何(?:年|月|日|時|人|回|個|円|歳|パーセント)|いつ|いくつ|いくら|多少|几|什么时候|何时|언제|얼마|몇/iu;

export const asksForNumber = (question: string): boolean => NUMBER_QUESTION.test(question);

/** Checks whether an English or German text has a negation. */
export const isNegation = (text: string): boolean => NEGATION.test(text);

/** Weight of a term in the surroundings of a sentence, compared to one in the sentence. */
const CONTEXT_WEIGHT = 0.5;
const NUMBER_BONUS = 1.6;
const QUESTION_PENALTY = 0.3;
const FRAGMENT_PENALTY = 0.6;
/** Factor of a sentence that begins with a condition: special cases are asked for less often. */
const CONDITION_PENALTY = 0.8;
/** Factor of a negated sentence: questions ask more often about what is so. */
const NEGATION_PENALTY = 0.8;
const NEGATION = /\b(?:not|cannot|[a-z]+n['’]t|nicht|keine?[mnrs]?)\b/iu;
const CONDITION = /^(?:if|unless|wenn|falls|si|se|если|eğer)(?!\p{L})/iu;
/** The first passages were found to fit best. */
const RANK_BONUS = 0.3;
/** Terms of a sentence that is neither short nor long. */
const TYPICAL_TERMS = 12;

/**
 * Scores how well a sentence answers the question; 0 if it has nothing to do with it. `rank` counts passages from 0.
 */
export function scoreCandidate(
	{ text, terms, coverage, source }: Candidate,
	{ weights, asksForNumber: wantsNumber, isNegated }: ParsedQuestion,
	rank: number,
): number {
	const ownWeight = sumCovered(coverage, weights);
	if (ownWeight === 0) return 0;
	let score = (ownWeight + contextScore({ coverage, source }, weights)) * lengthFactor(terms.size);
	if (wantsNumber && /\p{N}/u.test(text)) score *= NUMBER_BONUS;
	if (/[?？؟]["”’»)]*$/u.test(text)) score *= QUESTION_PENALTY;
	if (CONDITION.test(text)) score *= CONDITION_PENALTY;
	if (!isNegated && isNegation(text)) score *= NEGATION_PENALTY;
	if (isFragment(text, terms.size)) score *= FRAGMENT_PENALTY;
	return source.kind === "passage" ? score * (1 + RANK_BONUS / (1 + rank)) : score * (1 + RANK_BONUS);
}

function contextScore(
	{ coverage, source }: Pick<Candidate, "coverage" | "source">,
	weights: readonly number[],
): number {
	if (source.kind !== "passage") return 0;
	const added = source.contextCoverage.map((share, term) => Math.max(0, share - (coverage[term] ?? 0)));
	return CONTEXT_WEIGHT * sumCovered(added, weights);
}

/** Long sentences hold more words by chance. */
const lengthFactor = (terms: number): number => 1 / (0.75 + 0.25 * Math.max(1, terms / TYPICAL_TERMS));

/** Headings, link lists, rows without names of columns and what was cut off: no sentence mark at the end. */
function isFragment(text: string, terms: number): boolean {
	if (/[.!?…。！？؟।۔:：]["”’»)\]」』）]*$/u.test(text)) return false;
	const cells = text.split(" | ");
	if (cells.length > 2 && !cells.some((cell) => cell.includes(": "))) return true;
	return terms < 5 || (text.match(/ [|·•>»] /g) ?? []).length > 5;
}
