import type { ReindexRequest } from "@stemma/client";
import { quote } from "@stemma/core/internal";
import type { EmbeddingSpace } from "@stemma/routing";
import { DomainError } from "../../errors/domain-error";
import { type EmbeddingPin, isPinnedTo } from "../embeddings/pinned-space";
import type { ReindexedBase } from "../repositories/reindex-repository";

/** Name of the space without vectors in requests. */
const NO_MODEL = "none";

/**
 * Resolves the space that a request moves a knowledge base to; `null`: words alone.
 *
 * @param configured - space in which vectors are made now; `null`: none are.
 * @throws DomainError `embeddings_not_configured` for a model that makes no vectors here; `reindex_not_needed`,
 * `reindex_running`, `nothing_to_undo`.
 */
export function resolveTarget(
	{ to, undo = false }: ReindexRequest,
	base: ReindexedBase,
	configured: EmbeddingSpace | null,
): EmbeddingSpace | null {
	const { reindex, pin } = base;
	const target = undo ? resolveUndo(base, configured) : resolveModel(to, configured);
	if (reindex?.status === "running" || reindex?.status === "paused") {
		if (isSameSpace(reindex.target, target)) return target;
		throw new DomainError("reindex_running", "This knowledge base is moving to another embedding space.", {
			hint: "Wait until it is done, or cancel it first: DELETE /v1/knowledge-bases/<id>/reindex.",
		});
	}
	if (isPinnedSpace(pin, target) || pin === undefined)
		throw new DomainError("reindex_not_needed", describeNoNeed(pin), {
			hint: "Configure another embedding model, then send it again; GET /v1/knowledge-bases/<id> shows the present one.",
		});
	return target;
}

function resolveModel(to: string | undefined, configured: EmbeddingSpace | null): EmbeddingSpace | null {
	if (to === NO_MODEL) return null;
	if (to === undefined || to === configured?.model) return configured;
	throw spaceNotConfigured(to, configured);
}

function resolveUndo({ reindex }: ReindexedBase, configured: EmbeddingSpace | null): EmbeddingSpace | null {
	if (reindex?.status !== "completed" || reindex.spare === undefined)
		throw new DomainError("nothing_to_undo", "No move of this knowledge base can be undone.", {
			hint: "It has not moved within the last 7 days. To move it, leave `undo` out, or name the model in `to`.",
		});
	const { spare } = reindex;
	if (spare === null) return null;
	if (configured !== null && isPinnedTo(spare, configured)) return configured;
	throw spaceNotConfigured(spare.model, configured);
}

const spaceNotConfigured = (model: string, configured: EmbeddingSpace | null): DomainError =>
	new DomainError(
		"embeddings_not_configured",
		`No vectors of ${quote(model)} are made here: ${
			configured === null ? "no embedding model is configured" : `the embedding model is ${configured.model}`
		}.`,
		{
			hint: "Ask the operator to configure it as `embeddings`, or choose the configured one or `none`.",
			param: "to",
		},
	);

const describeNoNeed = (pin: EmbeddingPin): string => {
	if (pin === undefined) return "The knowledge base has no passages yet: its first ones choose the space.";
	return pin === null
		? "The knowledge base is found by words alone already."
		: `The knowledge base has vectors of ${pin.model} already.`;
};

const isPinnedSpace = (pin: EmbeddingPin, target: EmbeddingSpace | null): boolean =>
	target === null ? pin === null : !!pin && isPinnedTo(pin, target);

/** Checks whether two spaces are the same; `null`: words alone. */
export const isSameSpace = (one: EmbeddingSpace | null, other: EmbeddingSpace | null): boolean =>
	one === null || other === null ? one === other : isPinnedTo({ ...one, length: one.dimensions ?? 0 }, other);
