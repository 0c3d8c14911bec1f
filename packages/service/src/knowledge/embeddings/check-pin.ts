import type { RunError } from "@stemma/core";
import type { PassageVectors } from "../repositories/passage-repository";
import { type EmbeddingPin, isPinnedTo, type PinnedSpace } from "./pinned-space";
import { describeSpaceChange } from "./space-change";

/**
 * Decision on the vectors of passages. `requeue`: they came without vectors, and the knowledge base has some by now.
 */
export type PinMatch =
	| {
			readonly kind: "store";
			readonly vectors: PassageVectors | undefined;
			/** Pin that the passages give to their knowledge base, as the first ones. */
			readonly newPin?: PinnedSpace | null;
	  }
	| { readonly kind: "failed"; readonly error: RunError }
	| { readonly kind: "requeue" };

/**
 * Holds passages against the pin of their knowledge base; the first ones pin it.
 *
 * @param isMoving - vectors of another space are being made of all its passages: new ones may come without any.
 */
export function checkPin(pin: EmbeddingPin, vectors: PassageVectors | undefined, isMoving = false): PinMatch {
	if (pin === null || (isMoving && !hasVectorsOf(pin, vectors))) return { kind: "store", vectors: undefined };
	if (vectors === undefined)
		return pin === undefined ? { kind: "store", vectors, newPin: null } : { kind: "requeue" };
	const length = vectors.values[0]?.length ?? 0;
	if (pin === undefined) return { kind: "store", vectors, newPin: { ...vectors.space, length } };
	if (!isPinnedTo(pin, vectors.space))
		return { kind: "failed", error: describeSpaceChange(pin, vectors.space) };
	if (pin.length !== length) return { kind: "failed", error: toLengthError(pin, length) };
	return { kind: "store", vectors };
}

const hasVectorsOf = (pin: EmbeddingPin, vectors: PassageVectors | undefined): boolean =>
	pin != null &&
	vectors !== undefined &&
	isPinnedTo(pin, vectors.space) &&
	pin.length === vectors.values[0]?.length;

const toLengthError = ({ model, length }: PinnedSpace, found: number): RunError => ({
	code: "embedding_length_changed",
	message: `${model} gave vectors of ${found} numbers; those of this knowledge base have ${length}.`,
	hint: `Have "embeddings.dimensions" set to ${length}, or create a new knowledge base, then upload the document again.`,
});
