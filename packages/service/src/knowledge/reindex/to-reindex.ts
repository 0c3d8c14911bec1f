import type { Reindex } from "@stemma/client";
import type { EmbeddingSpace } from "@stemma/routing";
import type { EmbeddingPlan } from "../embeddings/passage-embedder";
import type { EmbeddingPin } from "../embeddings/pinned-space";
import { toVendorHost } from "../embeddings/space-change";
import type { ReindexedBase, ReindexSize, StoredReindex } from "../repositories/reindex-repository";
import { REINDEX_UNDO_MS } from "./reindexer";

/** Details of a knowledge base that is not moving. */
export const toIdle = ({ id, pin, passageCount }: ReindexedBase): Reindex => ({
	knowledge_base_id: id,
	status: "idle",
	from: toPinDetails(pin),
	to: null,
	passages: { total: passageCount, done: passageCount, skipped: 0 },
	payer: "none",
	error: null,
	started_at: null,
	completed_at: null,
	undo_until: null,
});

/** Planned move with its cost. */
interface PlannedReindex extends EmbeddingPlan {
	readonly target: EmbeddingSpace | null;
	/** Size of the passages that get other vectors. */
	readonly size: ReindexSize;
}

/** Details of a move that is planned, and not started. */
export const toPlanned = (base: ReindexedBase, { target, size, payer, reason }: PlannedReindex): Reindex => ({
	...toIdle(base),
	status: "planned",
	to: toTargetDetails(target),
	passages: { total: base.passageCount, done: base.passageCount - size.passages, skipped: 0 },
	payer,
	plan: {
		passages: size.passages,
		estimated_tokens: Math.ceil(size.characters / 4),
		max_tokens: size.bytes,
		reason,
	},
});

/** Details of a move that runs, has ended, or can be undone. */
export function toReindex({ id, pin, passageCount }: ReindexedBase, reindex: StoredReindex): Reindex {
	const { status, target, spare, payer, error, done, skipped, startedAt, completedAt } = reindex;
	return {
		knowledge_base_id: id,
		status,
		from: toPinDetails(pin),
		to: status === "completed" ? toPinDetails(spare) : toTargetDetails(target, spare?.length),
		passages: { total: passageCount, done, skipped },
		payer,
		error,
		started_at: toTimestamp(startedAt),
		completed_at: completedAt === null ? null : toTimestamp(completedAt),
		undo_until:
			status === "completed" && completedAt !== null ? toTimestamp(completedAt + REINDEX_UNDO_MS) : null,
	};
}

const toTimestamp = (ms: number): string => new Date(ms).toISOString();

const toPinDetails = (pin: EmbeddingPin): Reindex["from"] => (pin ? toTargetDetails(pin, pin.length) : null);

const toTargetDetails = (target: EmbeddingSpace | null, length = target?.dimensions): Reindex["to"] =>
	target && {
		model: target.model,
		vendor_host: toVendorHost(target.base_url),
		...(length !== undefined && { dimensions: length }),
	};
