import type { RunError } from "@stemma/core";
import { isStemmaError, StemmaError } from "@stemma/core/errors";
import type { EmbeddingSpace } from "@stemma/routing";
import { type PassageEmbedder, toEmbeddedText } from "./passage-embedder";
import { type RetryOptions, retryPassing } from "./retry-passing";
import type { PassagesPart, StoredPart } from "./store-passages-job";

export interface EmbedOptions extends RetryOptions {
	readonly embedder: PassageEmbedder;
	readonly space: EmbeddingSpace;
}

/** What one text of many may be refused for. */
const CODES_OF_A_TEXT = new Set(["bad_request", "context_length", "content_filtered"]);

/**
 * Gives passages their vectors, with one call for all of them; where it fails for good, so do their documents.
 *
 * @throws the signal's reason.
 */
export async function embedParts(
	parts: readonly StoredPart[],
	options: EmbedOptions,
): Promise<readonly StoredPart[]> {
	const passages = parts.filter((part) => part.kind === "passages");
	if (passages.length === 0) return parts;
	try {
		const vectors = await embedTexts(passages.flatMap(toTexts), options);
		return withVectors(parts, options.space, vectors);
	} catch (error) {
		if (!isStemmaError(error)) throw error;
		if (passages.length === 1 || !CODES_OF_A_TEXT.has(error.code))
			return parts.map((part) => (part.kind === "failed" ? part : toFailed(part, error)));
		return embedAlone(parts, options);
	}
}

/** So that none fails for another's text. */
async function embedAlone(parts: readonly StoredPart[], options: EmbedOptions): Promise<StoredPart[]> {
	const embedded: StoredPart[] = [];
	for (const part of parts) embedded.push(...(await embedParts([part], options)));
	return embedded;
}

const toTexts = ({ title, passages }: PassagesPart): string[] =>
	passages.map((passage) => toEmbeddedText(title, passage));

async function embedTexts(
	texts: readonly string[],
	{ embedder, ...options }: EmbedOptions,
): Promise<readonly Float32Array[]> {
	const vectors = await retryPassing(() => embedder.embed(texts, options.signal), options);
	const [first] = vectors;
	const isUsable =
		vectors.length === texts.length &&
		vectors.every((vector) => vector.length === first?.length && vector.every(Number.isFinite));
	if (!isUsable || first?.length === 0) throw unusableVectors();
	return vectors;
}

function withVectors(
	parts: readonly StoredPart[],
	space: EmbeddingSpace,
	vectors: readonly Float32Array[],
): StoredPart[] {
	let from = 0;
	return parts.map((part) => {
		if (part.kind === "failed") return part;
		const values = vectors.slice(from, from + part.passages.length);
		from += part.passages.length;
		return { ...part, vectors: { space, values } };
	});
}

const toFailed = ({ upload }: PassagesPart, { code, message, hint }: RunError): StoredPart => ({
	kind: "failed",
	upload,
	error: { code, message, ...(hint !== undefined && { hint }) },
});

const unusableVectors = (): StemmaError =>
	new StemmaError("The embedding model gave vectors that cannot be used.", {
		code: "bad_response",
		hint: "Check that the model of `embeddings` is one for embeddings and that its endpoint works, then upload the document again.",
	});
