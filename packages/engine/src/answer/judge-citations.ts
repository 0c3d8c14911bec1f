import type { Citation } from "@stemma/core";
import type { RetrievedPassage } from "../io/ports";
import type { CitationState, CitedMark } from "./citation-state";
import { assessSupport } from "./support/assess-support";
import { findClaim } from "./support/find-claim";

/** Levels from the best to the worst. */
const LEVELS: readonly Citation["support"][] = ["quoted", "supported", "weak"];
/** Weak claims that a citation lists. */
const MAX_WEAK_CLAIMS = 20;

/**
 * Compares the claims of a text, at its end, with the passages that they cite. A citation has the level of its weakest
 * claim, and lists those that are weak.
 */
export function judgeCitations(state: CitationState, passages: readonly RetrievedPassage[]): void {
	const { text, marks, textStart, citations, numbers } = state;
	if (marks.length > 0)
		for (const { n, claim } of findClaims(marks, text.slice(textStart), textStart)) {
			const citation = citations[n - 1];
			const passage = passages[(numbers[n - 1] ?? 0) - 1];
			if (citation !== undefined && passage !== undefined)
				citations[n - 1] = addClaim(citation, claim, assessSupport(claim, passage));
		}
	state.marks = [];
	state.textStart = text.length;
}

interface CitingClaim {
	readonly n: number;
	/** The part of the answer, to the letter. */
	readonly claim: string;
}

function findClaims(marks: readonly CitedMark[], text: string, textStart: number): CitingClaim[] {
	const claims: CitingClaim[] = [];
	let previousEnd = 0;
	for (let first = 0; first < marks.length; ) {
		const start = (marks[first]?.at ?? 0) - textStart;
		let end = start;
		let next = first;
		// Marks side by side stand for the same claim.
		for (let mark = marks[next]; mark !== undefined && mark.at - textStart === end; mark = marks[++next])
			end += `[${mark.n}]`.length;
		const claim = findClaim(text, { start, end, previousEnd });
		for (const { n } of marks.slice(first, next)) claims.push({ n, claim });
		previousEnd = end;
		first = next;
	}
	return claims;
}

function addClaim(citation: Citation, claim: string, support: Citation["support"]): Citation {
	const weakest = LEVELS[Math.max(LEVELS.indexOf(support), LEVELS.indexOf(citation.support))] ?? "weak";
	const { weak_claims = [] } = citation;
	if (support !== "weak" || weak_claims.length >= MAX_WEAK_CLAIMS || weak_claims.includes(claim))
		return { ...citation, support: weakest };
	return { ...citation, support: weakest, weak_claims: [...weak_claims, claim] };
}
