import type { Citation } from "@stemma/core";

/** Mark `[1]` in a text, for a passage whose document has an address. */
export interface CitationMark {
	readonly citation: Citation;
	/** Address of the document: on the web, else of the service for a client key. */
	readonly url: string;
	/** Indices in UTF-16 code units; `end` is exclusive. */
	readonly start: number;
	readonly end: number;
}

/**
 * Finds the marks of citations in the text of an answer, in order. Passages of documents without an address have none.
 *
 * @param offset - index at which the answer begins in the text that the caller has.
 */
export function findCitationMarks(
	text: string,
	citations: readonly Citation[],
	offset = 0,
): readonly CitationMark[] {
	if (citations.length === 0) return [];
	const byNumber = new Map(citations.map((citation) => [citation.n, citation]));
	const marks: CitationMark[] = [];
	for (const match of text.matchAll(/\[(\d{1,6})\](?!\()/g)) {
		const citation = byNumber.get(Number(match[1]));
		const url = citation?.url ?? citation?.document_url;
		if (citation === undefined || url === undefined) continue;
		const start = offset + match.index;
		marks.push({ citation, url, start, end: start + match[0].length });
	}
	return marks;
}
