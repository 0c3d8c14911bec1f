import { deserialize, serialize } from "node:v8";
import type { PassageContent } from "@stemma/documents";

/**
 * Passages of a document that follow one another, as bytes. The process that reads the document encodes them and the store
 * decodes them, so that the main thread between them only passes them on.
 */
export interface EncodedPassages {
	/** Number of passages. */
	readonly count: number;
	/** Characters of their texts and headings. */
	readonly characters: number;
	readonly bytes: Uint8Array;
}

/** Maximum weight of one transaction, so that others need not wait long for it: about 10 ms. */
export const MAX_TRANSACTION_WEIGHT = 160_000;
/**
 * Maximum weight of one transaction where the store is a server: it takes many round trips and writes a segment of the word
 * index of its own, so that it mostly stores all that one claim of uploads has.
 */
export const MAX_SHARED_TRANSACTION_WEIGHT = 480_000;
/** Weights are in characters; a row takes time of its own. */
export const PASSAGE_WEIGHT_CHARACTERS = 200;

/**
 * Encodes the passages of a document, so many together as one transaction can store. One that weighs more is alone.
 *
 * @param passageWeight - weight of a passage besides its characters. Default: that of its row.
 */
export function* encodePassages(
	passages: readonly PassageContent[],
	passageWeight = PASSAGE_WEIGHT_CHARACTERS,
): Generator<EncodedPassages, void, undefined> {
	let first = 0;
	let characters = 0;
	for (const [index, { text, place }] of passages.entries()) {
		const added = text.length + (place.heading?.length ?? 0);
		const weight = characters + added + (index - first + 1) * passageWeight;
		if (index > first && weight > MAX_TRANSACTION_WEIGHT) {
			yield encode(passages.slice(first, index), characters);
			first = index;
			characters = 0;
		}
		characters += added;
	}
	if (passages.length > 0) yield encode(passages.slice(first), characters);
}

const encode = (passages: readonly PassageContent[], characters: number): EncodedPassages => ({
	count: passages.length,
	characters,
	bytes: serialize(passages),
});

/** Checks what says how passages are stored. Only a process that a document has taken over says anything else. */
export const isPlausible = ({ count, characters, bytes }: EncodedPassages): boolean =>
	bytes instanceof Uint8Array &&
	Number.isInteger(count) &&
	count > 0 &&
	count <= bytes.byteLength &&
	Number.isInteger(characters) &&
	characters >= 0;

/** Decodes passages. @throws for bytes that are not what they were announced to be. */
export function decodePassages({ bytes, count }: EncodedPassages): readonly PassageContent[] {
	const passages: unknown = deserialize(bytes);
	if (!Array.isArray(passages) || passages.length !== count)
		throw new TypeError(`These are not ${count} passages.`);
	return passages;
}
