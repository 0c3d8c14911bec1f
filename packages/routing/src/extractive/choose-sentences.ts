import { type Candidate, toCandidates, toRemark } from "./candidate";
import type { SourcePassage } from "./parse-passages";
import type { Sources } from "./read-sources";
import { asksFigure, type Question, scoreCandidate, withoutMeasure } from "./score-candidate";
import { toTerms } from "./terms";
import { common, createWeigher, sumWeights, type Weigh } from "./weigh-terms";

interface Scored {
	readonly candidate: Candidate;
	readonly score: number;
}

const MAX_SENTENCES = 5;
const MAX_CONTINUED = 3;
/** A sentence with less than this share of the best one's score only dilutes the answer. */
const NEAR_BEST = 0.6;
/** The share of the question's words, the rarer counting more, that the best passage must hold. Measured. */
const RELEVANT = 0.5;
/** From this share of terms in common on, two sentences say the same. */
const SAME = 0.8;

/** The best one to five sentences for the question, in reading order; none if nothing is good enough. */
export function chooseSentences({ question, passages, remarks, isContinuation }: Sources): Candidate[] {
	const written = remarks.map(toRemark);
	if (isContinuation) return pickDistinct(written, MAX_CONTINUED);
	const asked = { terms: toTerms(withoutMeasure(question)), asksFigure: asksFigure(question) };
	const read = passages.map(toCandidates);
	const weigh = createWeigher([...read.flat(), ...written].map(({ terms }) => terms));
	const isAnswered = passages.some((passage) => isRelevant(passage, asked, weigh));
	const scored = [
		...(isAnswered ? read.flatMap((list, rank) => scoreAll(list, asked, rank, weigh)) : []),
		...scoreAll(written, asked, 0, weigh),
	].sort((a, b) => b.score - a.score);
	const best = scored[0]?.score ?? 0;
	const near = scored.filter(({ score }) => score > 0 && score >= best * NEAR_BEST);
	if (near.length === 0) return pickDistinct(written, MAX_CONTINUED);
	return inReadingOrder(
		pickDistinct(
			near.map(({ candidate }) => candidate),
			MAX_SENTENCES,
		),
	);
}

const scoreAll = (
	candidates: readonly Candidate[],
	question: Question,
	rank: number,
	weigh: Weigh,
): Scored[] =>
	candidates.map((candidate) => ({ candidate, score: scoreCandidate(candidate, question, rank, weigh) }));

function isRelevant({ text, document, heading }: SourcePassage, { terms }: Question, weigh: Weigh): boolean {
	const known = toTerms(`${document} ${heading} ${text}`);
	const found = common(terms, known);
	// Damped: a word that no passage holds would otherwise outweigh all the others.
	const damped: Weigh = (term) => Math.sqrt(weigh(term));
	return found.length > 0 && sumWeights(found, damped) >= RELEVANT * sumWeights(terms, damped);
}

function pickDistinct(candidates: readonly Candidate[], limit: number): Candidate[] {
	const picked: Candidate[] = [];
	for (const candidate of candidates) {
		if (picked.length === limit) break;
		if (!picked.some((other) => isSame(candidate, other))) picked.push(candidate);
	}
	return picked;
}

function isSame(a: Candidate, b: Candidate): boolean {
	if (a.text === b.text) return true;
	const both = common(a.terms, b.terms).length;
	return both >= SAME * Math.min(a.terms.size, b.terms.size) && both > 0;
}

/** Documents by their best sentence, and within one from its beginning on. */
function inReadingOrder(picked: readonly Candidate[]): Candidate[] {
	const documents = [...new Set(picked.map(documentOf))];
	return picked
		.slice()
		.sort(
			(a, b) =>
				documents.indexOf(documentOf(a)) - documents.indexOf(documentOf(b)) || placeOf(a) - placeOf(b),
		);
}

const documentOf = ({ source }: Candidate): string =>
	source.kind === "passage" ? `document ${source.passage.document}` : source.kind;

const placeOf = ({ source }: Candidate): number =>
	source.kind === "passage" ? source.passage.start + source.at : 0;
