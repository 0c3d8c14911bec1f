import type { Reindex, ReindexRequest } from "@stemma/client";
import type { Payer } from "@stemma/core";
import type { EmbeddingSpace } from "@stemma/routing";
import type { AuditAuthor } from "../../audit/audit-author";
import { DomainError } from "../../errors/domain-error";
import type { EmbeddingPlan, PassageEmbedder } from "../embeddings/passage-embedder";
import { isPinnedTo } from "../embeddings/pinned-space";
import { knowledgeBaseNotFound } from "../knowledge-errors";
import type { ReindexedBase, ReindexRepository, StoredReindex } from "../repositories/reindex-repository";
import { resolveTarget } from "./reindex-target";
import { toIdle, toPlanned, toReindex } from "./to-reindex";

/** Moves of knowledge bases to another embedding space; knowledge bases are named by id. */
export interface ReindexStore {
	/** Plans a move, and starts nothing. @throws DomainError as {@link startReindex}. */
	planReindex(id: string, request: ReindexRequest): Promise<Reindex>;
	/**
	 * Starts a move, or resumes the one to the same space.
	 *
	 * @throws DomainError `knowledge_base_not_found`, `payer_changed`; as `resolveTarget`.
	 */
	startReindex(id: string, request: ReindexRequest, author: AuditAuthor): Promise<Reindex>;
	/** @throws DomainError `knowledge_base_not_found` */
	getReindex(id: string): Promise<Reindex>;
	/**
	 * Cancels a move, or drops what a completed one keeps.
	 *
	 * @throws DomainError `knowledge_base_not_found`, `reindex_not_found`
	 */
	dropReindex(id: string, author: AuditAuthor): Promise<Reindex>;
}

export interface ReindexStoreOptions {
	readonly repository: ReindexRepository;
	readonly embedder: PassageEmbedder | undefined;
	readonly now: () => number;
}

export function createReindexStore({ repository, embedder, now }: ReindexStoreOptions): ReindexStore {
	const configured = embedder?.space ?? null;

	async function getBase(id: string): Promise<ReindexedBase> {
		const base = await repository.find(id);
		if (base === undefined) throw knowledgeBaseNotFound(id);
		return base;
	}

	async function plan(id: string, request: ReindexRequest) {
		const base = await getBase(id);
		const target = resolveTarget(request, base, configured);
		const { payer, reason } = (target === null ? undefined : await embedder?.plan?.()) ?? NOBODY_PAYS;
		if (request.payer !== undefined && request.payer !== payer) throw payerChanged(payer, reason);
		return { base, target, payer, reason };
	}

	async function getReindex(id: string): Promise<Reindex> {
		const base = await getBase(id);
		return base.reindex === undefined ? toIdle(base) : toReindex(base, base.reindex);
	}

	return {
		getReindex,
		async planReindex(id, request) {
			const { base, target, payer, reason } = await plan(id, request);
			const keepsSpare = isReusable(base.reindex, target);
			const size = target === null ? EMPTY_SIZE : await repository.measure({ knowledgeBase: id, keepsSpare });
			return toPlanned(base, { target, size, payer, reason });
		},
		async startReindex(id, request, author) {
			const { base, target, payer } = await plan(id, request);
			await repository.start({
				...{ knowledgeBase: id, target, payer, actor: author.actor, now: now() },
				audit: {
					...author,
					action: "knowledge_base.reindex_started",
					target: id,
					details: { from: base.pin?.model ?? null, to: target?.model ?? null, payer },
				},
			});
			return getReindex(id);
		},
		async dropReindex(id, author) {
			const base = await getBase(id);
			const audit = { ...author, action: "knowledge_base.reindex_dropped", target: id } as const;
			if (base.reindex === undefined || !(await repository.drop(id, audit))) throw reindexNotFound(id);
			return toReindex(base, { ...base.reindex, status: "dropping" });
		},
	};
}

const NOBODY_PAYS: EmbeddingPlan = { payer: "none", reason: "No vectors are made: nobody pays." };
const EMPTY_SIZE = { passages: 0, characters: 0, bytes: 0 };

const isReusable = (reindex: StoredReindex | undefined, target: EmbeddingSpace | null): boolean =>
	reindex !== undefined &&
	reindex.status !== "dropping" &&
	target !== null &&
	!!reindex.spare &&
	isPinnedTo(reindex.spare, target);

const reindexNotFound = (id: string): DomainError =>
	new DomainError(
		"reindex_not_found",
		`The knowledge base ${id} is not moving, and keeps no former vectors.`,
		{
			hint: "Start a move with POST /v1/knowledge-bases/<id>/reindex.",
		},
	);

const payerChanged = (payer: Payer, reason: string): DomainError =>
	new DomainError("payer_changed", `The payer would be "${payer}": ${reason}`, {
		hint: "Ask for a plan again (`dry_run`), and send the payer that it names.",
		param: "payer",
	});
