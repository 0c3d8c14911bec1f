import type { EmbeddingSpace } from "@stemma/routing";
import type { PassageEmbedder } from "../embeddings/passage-embedder";

/** Words that mean the same: they share no letter, and one number of the vector. */
const SYNONYMS: { readonly [word: string]: string } = { reimbursement: "refund", automobile: "car" };

/** A bag of words, each hashed to one number: the same everywhere, and alike where words or their meanings are. */
export function toHashedVector(text: string, dimensions: number): Float32Array {
	const vector = new Float32Array(dimensions);
	for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
		const singular = word.replace(/s$/, "");
		const index = hash(SYNONYMS[singular] ?? singular) % dimensions;
		vector[index] = (vector[index] ?? 0) + 1;
	}
	return vector;
}

const hash = (word: string): number =>
	[...word].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);

export const hashedSpace: EmbeddingSpace = { base_url: "https://vectors.example/v1", model: "hashed" };

export interface HashedEmbedder extends PassageEmbedder {
	/** The texts of each call. */
	readonly calls: (readonly string[])[];
}

/** @param before - runs before each call is answered: to fail it, or to hold it. */
export function createHashedEmbedder(
	dimensions = 256,
	{
		space = hashedSpace,
		onCall,
	}: { space?: EmbeddingSpace; onCall?: (texts: readonly string[], call: number) => unknown } = {},
): HashedEmbedder {
	const calls: (readonly string[])[] = [];
	return {
		space,
		calls,
		async embed(texts) {
			calls.push(texts);
			await onCall?.(texts, calls.length);
			return texts.map((text) => toHashedVector(text, dimensions));
		},
	};
}
