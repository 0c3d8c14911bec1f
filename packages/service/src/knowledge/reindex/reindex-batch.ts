import type { EmbeddingSpace } from "@stemma/routing";
import { DomainError } from "../../errors/domain-error";
import { toFailureKind } from "../embeddings/embedding-failure";
import type { PassageEmbedder } from "../embeddings/passage-embedder";
import type {
	ReindexBatch,
	StoreReindexedInput,
	StoreReindexedResult,
} from "../repositories/reindex-repository";

type Passages = ReindexBatch["passages"];
type Vectors = StoreReindexedInput["vectors"];

/**
 * Makes the vectors of passages with one call. Where the model refuses it, each passage is sent alone, and those that are
 * refused again have none.
 *
 * @throws what the embedder rejects with, also where it refuses the first ones of many.
 */
export async function embedBatch(
	passages: Passages,
	embedder: PassageEmbedder,
	signal: AbortSignal,
): Promise<Vectors> {
	try {
		return await embedPassages(passages, embedder, signal);
	} catch (error) {
		signal.throwIfAborted();
		if (toFailureKind(error) !== "text") throw error;
		if (passages.length === 1) return passages.map(({ number }) => ({ passage: number, values: null }));
		return embedOneByOne(passages, embedder, signal, error);
	}
}

async function embedPassages(
	passages: Passages,
	embedder: PassageEmbedder,
	signal: AbortSignal,
): Promise<Vectors> {
	const values = await embedder.embed(
		passages.map(({ text }) => text),
		signal,
	);
	return passages.map(({ number }, index) => ({ passage: number, values: values[index] ?? null }));
}

async function embedOneByOne(
	passages: Passages,
	embedder: PassageEmbedder,
	signal: AbortSignal,
	cause: unknown,
): Promise<Vectors> {
	const vectors: Vectors[number][] = [];
	for (const passage of passages)
		try {
			vectors.push(...(await embedPassages([passage], embedder, signal)));
		} catch (error) {
			signal.throwIfAborted();
			if (toFailureKind(error) !== "text") throw error;
			vectors.push({ passage: passage.number, values: null });
			// The reason is not in one of the texts: all others would be paid for, or refused, in vain.
			if (vectors.length >= MAX_REFUSED_PASSAGES && vectors.every(({ values }) => values === null))
				throw cause;
		}
	return vectors;
}

/** Passages of a batch that are refused in a row, from the first one on, before the whole batch counts as refused. */
const MAX_REFUSED_PASSAGES = 4;

/** @throws DomainError where vectors could not be stored because of their length. */
export function assertStored(result: StoreReindexedResult, { model }: EmbeddingSpace): void {
	if (result === "length_changed")
		throw new DomainError("embedding_length_changed", `${model} gave vectors of different lengths.`, {
			hint: 'Set "embeddings.dimensions", cancel this move, and start it again.',
		});
	if (result === "length_unknown")
		throw new DomainError("embedding_failed", `${model} refused the first passages.`, {
			hint: "Find the reason in the log of the service, then start the move again.",
		});
}
