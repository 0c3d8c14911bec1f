import type { RunError } from "@stemma/core";
import type { JobFile } from "../../store/job-file";
import { readPin, writePin } from "./embedding-pins";
import type { PassageVectors } from "./passage-vectors";
import { isPinnedTo, type PinnedSpace } from "./pinned-space";
import { describeSpaceChange } from "./space-change";

/**
 * Decision on the vectors of passages. `requeue`: they came without vectors, and the knowledge base has some by now.
 */
export type PinMatch =
	| { readonly kind: "store"; readonly vectors: PassageVectors | undefined }
	| { readonly kind: "failed"; readonly error: RunError }
	| { readonly kind: "requeue" };

/** Holds passages against the pin of their knowledge base; the first ones pin it. */
export function checkPin(
	file: JobFile,
	knowledgeBase: number,
	vectors: PassageVectors | undefined,
): PinMatch {
	const pin = readPin(file, knowledgeBase);
	if (pin === null) return { kind: "store", vectors: undefined };
	if (vectors === undefined) {
		if (pin !== undefined) return { kind: "requeue" };
		writePin(file, knowledgeBase, null);
		return { kind: "store", vectors };
	}
	const length = vectors.values[0]?.length ?? 0;
	if (pin === undefined) writePin(file, knowledgeBase, { ...vectors.space, length });
	else if (!isPinnedTo(pin, vectors.space))
		return { kind: "failed", error: describeSpaceChange(pin, vectors.space) };
	else if (pin.length !== length) return { kind: "failed", error: toLengthError(pin, length) };
	return { kind: "store", vectors };
}

const toLengthError = ({ model, length }: PinnedSpace, found: number): RunError => ({
	code: "embedding_length_changed",
	message: `${model} gave vectors of ${found} numbers; those of this knowledge base have ${length}.`,
	hint: `Have "embeddings.dimensions" set to ${length}, or create a new knowledge base, then upload the document again.`,
});
