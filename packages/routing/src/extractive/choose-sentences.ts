import { type Candidate, toCandidates, toStatement } from "./candidate";
import type { SourcePassage } from "./parse-passages";
import type { Sources } from "./read-sources";
import { asksForNumber, dropMeasureWords, type ParsedQuestion, scoreCandidate } from "./score-candidate";
import { createTermWeight, intersect, sumWeights, type TermWeight } from "./term-weights";
import { toTerms } from "./terms";

interface Scored {
	readonly candidate: Candidate;
	readonly score: number;
}

const MAX_SENTENCES = 5;
const MAX_CONTINUATION_SENTENCES = 3;
/** A sentence with less than this share of the best one's score only dilutes the answer. */
const MIN_SCORE_RATIO = 0.6;
/** The share of the question's words, the rarer counting more, that the best passage must hold. Measured. */
const MIN_RELEVANCE = 0.5;
/** Share of common terms from which two sentences count as duplicates. */
const DUPLICATE_OVERLAP = 0.8;

/** The best one to five sentences for the question, in reading order; none if nothing is good enough. */
export function chooseSentences({ question, passages, statements, isContinuation }: Sources): Candidate[] {
	const statementCandidates = statements.map(toStatement);
	if (isContinuation) return pickDistinct(statementCandidates, MAX_CONTINUATION_SENTENCES);
	const query = { terms: toTerms(dropMeasureWords(question)), asksForNumber: asksForNumber(question) };
	const passageCandidates = passages.map(toCandidates);
	const termWeight = createTermWeight(
		[...passageCandidates.flat(), ...statementCandidates].map(({ terms }) => terms),
	);
	const isAnswered = passages.some((passage) => isRelevant(passage, query, termWeight));
	const scored = [
		...(isAnswered ? passageCandidates.flatMap((list, rank) => scoreAll(list, query, rank, termWeight)) : []),
		...scoreAll(statementCandidates, query, 0, termWeight),
	].sort((a, b) => b.score - a.score);
	const best = scored[0]?.score ?? 0;
	const nearBest = scored.filter(({ score }) => score > 0 && score >= best * MIN_SCORE_RATIO);
	if (nearBest.length === 0) return pickDistinct(statementCandidates, MAX_CONTINUATION_SENTENCES);
	return inReadingOrder(
		pickDistinct(
			nearBest.map(({ candidate }) => candidate),
			MAX_SENTENCES,
		),
	);
}

const scoreAll = (
	candidates: readonly Candidate[],
	question: ParsedQuestion,
	rank: number,
	termWeight: TermWeight,
): Scored[] =>
	candidates.map((candidate) => ({
		candidate,
		score: scoreCandidate(candidate, question, rank, termWeight),
	}));

function isRelevant(
	{ text, document, heading }: SourcePassage,
	{ terms }: ParsedQuestion,
	termWeight: TermWeight,
): boolean {
	const passageTerms = toTerms(`${document} ${heading} ${text}`);
	const found = intersect(terms, passageTerms);
	// Damped: a word that no passage holds would otherwise outweigh all the others.
	const damped: TermWeight = (term) => Math.sqrt(termWeight(term));
	return found.length > 0 && sumWeights(found, damped) >= MIN_RELEVANCE * sumWeights(terms, damped);
}

function pickDistinct(candidates: readonly Candidate[], limit: number): Candidate[] {
	const picked: Candidate[] = [];
	for (const candidate of candidates) {
		if (picked.length === limit) break;
		if (!picked.some((other) => isDuplicate(candidate, other))) picked.push(candidate);
	}
	return picked;
}

function isDuplicate(a: Candidate, b: Candidate): boolean {
	if (a.text === b.text) return true;
	const both = intersect(a.terms, b.terms).length;
	return both >= DUPLICATE_OVERLAP * Math.min(a.terms.size, b.terms.size) && both > 0;
}

/** Documents by their best sentence, and within one from its beginning on. */
function inReadingOrder(picked: readonly Candidate[]): Candidate[] {
	const documents = [...new Set(picked.map(documentOf))];
	return picked
		.slice()
		.sort(
			(a, b) =>
				documents.indexOf(documentOf(a)) - documents.indexOf(documentOf(b)) || positionOf(a) - positionOf(b),
		);
}

const documentOf = ({ source }: Candidate): string =>
	source.kind === "passage" ? `document ${source.passage.document}` : source.kind;

const positionOf = ({ source }: Candidate): number =>
	source.kind === "passage" ? source.passage.start + source.at : 0;
