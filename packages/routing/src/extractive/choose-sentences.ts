import { createCoverageReader, sumCovered, toQueryTerms } from "@stemma/core/internal";
import { type Candidate, toCandidates, toStatement } from "./candidate";
import { computeCoverage } from "./passage-coverage";
import type { Sources } from "./read-sources";
import { asksForNumber, isNegation, scoreCandidate } from "./score-candidate";
import { toTermWeights } from "./term-weights";

interface Scored {
	readonly candidate: Candidate;
	readonly score: number;
}

const MAX_SENTENCES = 5;
const MAX_CONTINUATION_SENTENCES = 3;
/** A sentence with less than this share of the best one's score only dilutes the answer. */
const MIN_SCORE_RATIO = 0.5;
/**
 * The share of the question that the passages must cover. Lower than that of answers of the service, which knows how rare
 * a word is in all documents: this keeps runs from quoting what is about something else.
 */
const MIN_COVERAGE = 0.3;
/** The share of the question that what announces a sentence must add to it to be quoted before it. */
const MIN_INTRODUCED = 0.2;
const MAX_INTRODUCED_CHARACTERS = 400;
/** Share of common terms from which two sentences count as duplicates. */
const DUPLICATE_OVERLAP = 0.8;

/** The best one to five sentences for the question, best first; none if nothing has to do with it. */
export function chooseSentences({ question, passages, statements, isContinuation }: Sources): Candidate[] {
	const terms = toQueryTerms(question);
	const readCoverage = createCoverageReader(terms);
	const statementCandidates = statements.map((statement) => toStatement(statement, readCoverage));
	if (isContinuation) return pickDistinct(statementCandidates, MAX_CONTINUATION_SENTENCES);
	const ranked = passages.map((passage) => toCandidates(passage, readCoverage));
	const weights = toTermWeights(
		terms,
		[...ranked.flat(), ...statementCandidates].map(({ coverage }) => coverage),
	);
	const query = { weights, asksForNumber: asksForNumber(question), isNegated: isNegation(question) };
	const isCovered = computeCoverage(passages, readCoverage, weights) >= MIN_COVERAGE;
	const scored = [...(isCovered ? ranked : []), statementCandidates]
		.flatMap((candidates, rank): Scored[] => {
			const scoredRank = candidates === statementCandidates ? 0 : rank;
			return candidates.map((candidate) => ({
				candidate,
				score: scoreCandidate(candidate, query, scoredRank),
			}));
		})
		.sort((a, b) => b.score - a.score);
	const best = scored[0]?.score ?? 0;
	const nearBest = scored.filter(({ score }) => score > 0 && score >= best * MIN_SCORE_RATIO);
	if (nearBest.length === 0) return pickDistinct(statementCandidates, MAX_CONTINUATION_SENTENCES);
	const picked = pickDistinct(
		nearBest.map(({ candidate }) => candidate),
		MAX_SENTENCES,
	);
	return picked.map((candidate) => introduce(candidate, weights));
}

/** Puts what announces a sentence before it where it says what the sentence is about. */
function introduce(candidate: Candidate, weights: readonly number[]): Candidate {
	const { source, text } = candidate;
	if (source.kind !== "passage" || source.introduction === "") return candidate;
	const added = source.introductionCoverage.map((share, term) =>
		Math.max(0, share - (source.ownCoverage[term] ?? 0)),
	);
	const introduced = `${source.introduction} … ${text}`;
	const isNeeded =
		sumCovered(added, weights) >=
		MIN_INTRODUCED *
			sumCovered(
				weights.map(() => 1),
				weights,
			);
	return isNeeded && introduced.length <= MAX_INTRODUCED_CHARACTERS
		? { ...candidate, text: introduced }
		: candidate;
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
	// Documents that contradict one another are both shown.
	if (hasOtherNumber(a, b) && hasOtherNumber(b, a)) return false;
	const both = [...a.terms].filter((term) => b.terms.has(term)).length;
	return both >= DUPLICATE_OVERLAP * Math.min(a.terms.size, b.terms.size) && both > 0;
}

const hasOtherNumber = ({ terms }: Candidate, other: Candidate): boolean =>
	[...terms].some((term) => /\p{N}/u.test(term) && !other.terms.has(term));
