import type { TokenUsage } from "@stemma/core";
import { asList, asObject, type Fields, isTokenCount, parseObject } from "../../http/lenient-json";
import type { VendorFailure } from "../../http/to-provider-error";
import { readFailure, UNEXPECTED_FORMAT } from "../map-error";

/** The answer to one batch. */
export interface BatchReply {
	readonly vectors: readonly Float32Array[];
	readonly usage: TokenUsage | undefined;
}

/** The vectors of an answer, in the order of the `count` texts that were sent. */
export function fromEmbeddings(
	text: string,
	count: number,
): BatchReply | { readonly failure: VendorFailure } {
	const body = parseObject(text);
	if (body === undefined) return { failure: UNEXPECTED_FORMAT };
	const failure = readFailure(body);
	if (failure !== undefined) return { failure };
	const vectors = readVectors(asList(body.data), count);
	return vectors === undefined
		? { failure: UNEXPECTED_FORMAT }
		: { vectors, usage: readEmbeddingUsage(body) };
}

/** An index that is left out is the place in the list, as servers do that leave out zeros. */
function readVectors(items: readonly unknown[], count: number): Float32Array[] | undefined {
	const vectors = new Map<unknown, Float32Array>();
	for (const [position, item] of items.entries()) {
		const { index = position, embedding } = asObject(item);
		const vector = readVector(embedding);
		if (vector === undefined) return undefined;
		vectors.set(index, vector);
	}
	const vectorByIndex = Array.from({ length: count }, (_, index) => vectors.get(index));
	const found = vectorByIndex.filter((vector) => vector !== undefined);
	const isComplete = items.length === count && found.length === count;
	return isComplete && found.every(({ length }) => length === found[0]?.length) ? found : undefined;
}

/** Undefined unless it has numbers, and finite ones alone. */
function readVector(embedding: unknown): Float32Array | undefined {
	const vector = typeof embedding === "string" ? decodeFloats(embedding) : toFloats(asList(embedding));
	return vector !== undefined && vector.length > 0 && vector.every(Number.isFinite) ? vector : undefined;
}

const toFloats = (list: readonly unknown[]): Float32Array =>
	Float32Array.from(list, (value) => (typeof value === "number" ? value : Number.NaN));

/** Base64 of 32-bit floats, the lowest byte first. */
function decodeFloats(base64: string): Float32Array | undefined {
	const binary = decodeBase64(base64);
	if (binary === undefined || binary.length % 4 !== 0) return undefined;
	const bytes = new DataView(new ArrayBuffer(binary.length));
	for (let index = 0; index < binary.length; index++) bytes.setUint8(index, binary.charCodeAt(index));
	const vector = new Float32Array(binary.length / 4);
	for (let index = 0; index < vector.length; index++) vector[index] = bytes.getFloat32(index * 4, true);
	return vector;
}

/** A character for each byte; undefined for what is no base64. */
function decodeBase64(base64: string): string | undefined {
	try {
		return atob(base64);
	} catch {
		return undefined;
	}
}

/** Undefined where it is not reported, or reported as nothing at all. */
function readEmbeddingUsage({ usage }: Fields): TokenUsage | undefined {
	const { prompt_tokens: prompt, total_tokens: total } = asObject(usage);
	const inputTokens = prompt || total;
	return isTokenCount(inputTokens) && inputTokens > 0 ? { inputTokens, outputTokens: 0 } : undefined;
}
