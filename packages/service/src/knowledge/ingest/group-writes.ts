import type { RunError } from "@stemma/core";
import type { DocumentContent } from "@stemma/documents";
import type { PassageRange, ReadAttachment, StoredPart } from "../repositories/passage-repository";
import type { EncodedText } from "./encode-text";
import {
	decodePassages,
	type EncodedPassages,
	encodePassages,
	MAX_TRANSACTION_WEIGHT,
	PASSAGE_WEIGHT_CHARACTERS,
} from "./encoded-passages";

/** Result of reading an upload. */
export type UploadReadResult =
	| { readonly upload: number; readonly content: ReadContent }
	| { readonly upload: number; readonly error: RunError };

/** A document that was read, as it is stored. */
export interface ReadContent extends Omit<DocumentContent, "passages" | "text" | "attachments"> {
	/** Passages of the document, in order. */
	readonly passages: readonly EncodedPassages[];
	/** Text that was extracted; `null` where the file is the text, as UTF-8. */
	readonly text: EncodedText | null;
	/** Files within it that become documents of their own. */
	readonly attachments: readonly ReadAttachment[];
}

/** Weight of the rows of a document. */
const DOCUMENT_WEIGHT = 500;
/** Weight of a passage that gets a vector, so that a call for those of a transaction takes about 100 texts. */
const VECTOR_PASSAGE_WEIGHT = PASSAGE_WEIGHT_CHARACTERS + 500;
/** Weight of a file's bytes, which no index is made of. */
const WEIGHT_PER_BYTE = 0.1;

/**
 * Sorts documents into transactions: small ones together, a large one over several.
 *
 * @param firstPassage - number of the first passage; the others follow.
 * @param hasVectors - whether passages get vectors before they are written.
 * @param maxWeight - of a transaction, unless passages get vectors.
 */
export function groupWrites(
	uploads: readonly UploadReadResult[],
	firstPassage: number,
	hasVectors = false,
	maxWeight = MAX_TRANSACTION_WEIGHT,
): StoredPart[][] {
	const limit = hasVectors ? MAX_TRANSACTION_WEIGHT : maxWeight;
	const passageWeight = hasVectors ? VECTOR_PASSAGE_WEIGHT : PASSAGE_WEIGHT_CHARACTERS;
	const groups: StoredPart[][] = [];
	let weight = Number.POSITIVE_INFINITY;
	let first = firstPassage;
	const add = (part: StoredPart, partWeight: number): void => {
		if (weight + partWeight > limit) {
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
		const range = { first, count: countPassages(read) };
		for (const { part, weight } of toParts(read, range, passageWeight)) add(part, weight);
		first += range.count;
	}
	return groups;
}

/** Number of the passages that were read. */
export const countPassages = (read: UploadReadResult): number =>
	"content" in read ? read.content.passages.reduce((sum, { count }) => sum + count, 0) : 0;

function* toParts(
	{ upload, content }: { readonly upload: number; readonly content: ReadContent },
	range: PassageRange,
	passageWeight: number,
): Generator<{ readonly part: StoredPart; readonly weight: number }> {
	const { title, text, attachments, unreadPages } = content;
	let { first } = range;
	let weight = DOCUMENT_WEIGHT + weigh(attachments);
	for (const passages of splitPassages(content.passages, passageWeight)) {
		const { count, characters } = passages;
		const isLast = first + count === range.first + range.count;
		const part: StoredPart = {
			...{ kind: "passages", upload, title, range, first, passages },
			...(isLast && toLastFields(text, attachments, unreadPages)),
		};
		yield { part, weight: weight + characters + count * (title.length + passageWeight) };
		first += count;
		weight = 0;
	}
}

/** Encodes passages again where fewer of them fit into one transaction. */
const splitPassages = (
	passages: readonly EncodedPassages[],
	passageWeight: number,
): Iterable<EncodedPassages> =>
	passageWeight === PASSAGE_WEIGHT_CHARACTERS
		? passages
		: encodePassages(passages.flatMap(decodePassages), passageWeight);

const weigh = (attachments: readonly ReadAttachment[]): number =>
	attachments.reduce((sum, { bytes }) => sum + DOCUMENT_WEIGHT + bytes.byteLength * WEIGHT_PER_BYTE, 0);

const toLastFields = (
	text: EncodedText | null,
	attachments: readonly ReadAttachment[],
	unreadPages: readonly number[],
) => ({
	...(text !== null && { text }),
	...(attachments.length > 0 && { attachments }),
	...(unreadPages.length > 0 && { unreadPages }),
});
