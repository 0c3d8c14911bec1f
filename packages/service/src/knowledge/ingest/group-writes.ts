import type { RunError } from "@stemma/core";
import type { DocumentContent } from "@stemma/documents";
import type { PassageRange, StoredPart } from "../repositories/passage-repository";

/** Result of reading an upload. */
export type UploadReadResult =
	| { readonly upload: number; readonly content: DocumentContent }
	| { readonly upload: number; readonly error: RunError };

/** Maximum weight of one transaction, so that others need not wait long for it: about 10 ms. */
const MAX_WEIGHT = 160_000;
/** Weights are in characters; rows take time of their own. */
const PASSAGE_WEIGHT_CHARACTERS = 200;
const DOCUMENT_WEIGHT = 500;
/** A long one's, so that a call for the vectors of a transaction takes about 100 texts. */
const VECTOR_WEIGHT = 500;

/**
 * Sorts documents into transactions: small ones together, a large one over several.
 *
 * @param firstPassage - number of the first passage; the others follow.
 * @param hasVectors - whether passages get vectors before they are written.
 */
export function groupWrites(
	uploads: readonly UploadReadResult[],
	firstPassage: number,
	hasVectors = false,
): StoredPart[][] {
	const passageWeight = PASSAGE_WEIGHT_CHARACTERS + (hasVectors ? VECTOR_WEIGHT : 0);
	const groups: StoredPart[][] = [];
	let weight = Number.POSITIVE_INFINITY;
	let first = firstPassage;
	const add = (part: StoredPart, partWeight: number): void => {
		if (weight + partWeight > MAX_WEIGHT) {
			groups.push([]);
			weight = 0;
		}
		groups.at(-1)?.push(part);
		weight += partWeight;
	};
	for (const read of uploads) {
		if ("error" in read) {
			add({ kind: "failed", upload: read.upload, error: read.error }, DOCUMENT_WEIGHT);
			continue;
		}
		const range = { first, count: read.content.passages.length };
		for (const { part, weight } of toParts(read, range, passageWeight)) add(part, weight);
		first += range.count;
	}
	return groups;
}

function* toParts(
	{ upload, content: { title, passages } }: { readonly upload: number; readonly content: DocumentContent },
	range: PassageRange,
	passageWeight: number,
): Generator<{ readonly part: StoredPart; readonly weight: number }> {
	let from = 0;
	let weight = DOCUMENT_WEIGHT;
	for (const [index, { text, heading }] of passages.entries()) {
		weight += text.length + (heading?.length ?? 0) + title.length + passageWeight;
		if (weight < MAX_WEIGHT && index + 1 < passages.length) continue;
		const part = passages.slice(from, index + 1);
		yield {
			part: { kind: "passages", upload, title, range, first: range.first + from, passages: part },
			weight,
		};
		from = index + 1;
		weight = 0;
	}
}
