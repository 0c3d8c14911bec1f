import type { SimulatedEmbeddings } from "./behaviour.ts";
import { countTokens, DEFAULT_DIMENSIONS, type EmbeddingLimits, textsOf } from "./check-embeddings.ts";
import type { Fields } from "./field-checks.ts";

/** The body of an answer with embeddings: the same text has the same vector, and texts that share words are near. */
export function toEmbeddings(
	{ usage, isShuffled, vectors: scripted }: SimulatedEmbeddings,
	request: Fields,
	{ dimensions = DEFAULT_DIMENSIONS }: EmbeddingLimits,
): object {
	const texts = textsOf(request);
	const length = Number(request.dimensions ?? dimensions);
	const vectors = scripted ?? texts.map((text) => toVector(text, length));
	const data = vectors.map((vector, index) => ({
		object: "embedding",
		index,
		embedding: request.encoding_format === "base64" ? toBase64(vector) : vector,
	}));
	const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
	return {
		object: "list",
		data: isShuffled ? data.reverse() : data,
		model: request.model,
		...(usage === "none" ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
	};
}

/** Of length 1: each word adds to the place and with the sign that its hash says. */
function toVector(text: string, length: number): number[] {
	const sums: number[] = Array.from({ length }, () => 0);
	for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
		const hash = toHash(word);
		const position = (hash >>> 1) % length;
		sums[position] = (sums[position] ?? 0) + (hash & 1 ? 1 : -1);
	}
	// Words that take each other away leave nothing, which has no direction.
	if (!sums.some((sum) => sum !== 0)) sums[0] = 1;
	const norm = Math.hypot(...sums);
	return sums.map((sum) => Math.fround(sum / norm));
}

/** FNV-1a, 32 bits. */
function toHash(word: string): number {
	let hash = 0x811c9dc5;
	for (const byte of new TextEncoder().encode(word)) hash = Math.imul(hash ^ byte, 0x01000193);
	return hash >>> 0;
}

const toBase64 = (vector: readonly number[]): string =>
	Buffer.from(new Float32Array(vector).buffer).toString("base64");
