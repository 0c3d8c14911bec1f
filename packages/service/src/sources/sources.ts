import type { Source, SourceCreate, SourceUpdate } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { AuditAuthor } from "../audit/audit-author";
import { knowledgeBaseNotFound } from "../knowledge/knowledge-errors";
import type { PageRequest } from "../pagination";
import type { IdempotencyRecord } from "../store/idempotency-repository";
import type { CheckSource } from "./check-source";
import type { SourceState } from "./repositories/source-repository";
import { sourceKindChanged, sourceNotFound, tooManySources } from "./source-errors";
import { createSourceLookup, type SourceParts } from "./source-lookup";
import { toAuditDetails, toSourceView, toStoredSource } from "./source-view";
import { findNextSync } from "./sync/next-sync";

/** Maximum number of sources of a knowledge base. */
export const MAX_SOURCES = 100;

/** Sources of the knowledge bases of a workspace. All throw `knowledge_base_not_found` and `source_not_found`. */
export interface Sources {
	/**
	 * Creates a source, whose first sync is due at once.
	 *
	 * @param toRecord - record of the request, stored in the same transaction.
	 */
	create(
		knowledgeBase: string,
		input: SourceCreate,
		author: AuditAuthor,
		toRecord: (created: Source) => IdempotencyRecord | undefined,
	): Promise<Source>;
	get(knowledgeBase: string, id: string): Promise<Source>;
	list(knowledgeBase: string, page: PageRequest): Promise<readonly Source[]>;
	update(knowledgeBase: string, id: string, update: SourceUpdate, author: AuditAuthor): Promise<Source>;
	/** Deletes a source and stops its sync. Its documents follow within moments, unless they are kept. */
	delete(knowledgeBase: string, id: string, keepsDocuments: boolean, author: AuditAuthor): Promise<void>;
}

export function createSources(parts: SourceParts, checkSettings: CheckSource): Sources {
	const { sources, running } = parts;
	const { get, withId } = createSourceLookup(parts);

	async function create(
		...[knowledgeBase, input, author, toRecord]: Parameters<Sources["create"]>
	): Promise<Source> {
		await checkSettings(input.settings);
		const stored = toStoredSource(knowledgeBase, input);
		const created = toSourceView({ ...stored, documents: NO_DOCUMENTS, last_sync: null });
		const details = toAuditDetails(stored);
		const audit = { ...author, action: "source.created", target: stored.id, details } as const;
		const result = await sources.insert(stored, MAX_SOURCES, { audit, request: toRecord(created) });
		if (result === "no_knowledge_base") throw knowledgeBaseNotFound(knowledgeBase);
		if (result === "too_many") throw tooManySources(MAX_SOURCES);
		return created;
	}

	return {
		create: withId(create),
		get: withId(async (knowledgeBase, id: string) => toSourceView(await get(knowledgeBase, id))),
		list: withId(async (knowledgeBase, page: PageRequest) => {
			const listed = await sources.list(knowledgeBase, page);
			if (listed === "no_knowledge_base") throw knowledgeBaseNotFound(knowledgeBase);
			return listed.map(toSourceView);
		}),
		update: withId(async (knowledgeBase, id: string, update: SourceUpdate, author: AuditAuthor) => {
			const found = await get(knowledgeBase, id);
			const kind = update.settings?.kind ?? found.settings.kind;
			if (kind !== found.settings.kind) throw sourceKindChanged(found.settings.kind);
			if (update.settings !== undefined) await checkSettings(update.settings);
			const details = toAuditDetails({ ...found, ...update });
			const audit = { ...author, action: "source.updated", target: id, details } as const;
			const change = { ...update, ...toSchedule(found, update), updated_at: clock.now() };
			if (!(await sources.update(id, change, { audit }))) throw sourceNotFound(id);
			return toSourceView(await get(knowledgeBase, id));
		}),
		delete: withId(async (knowledgeBase, id: string, keepsDocuments: boolean, author: AuditAuthor) => {
			const { last_sync } = await get(knowledgeBase, id);
			const details = { keep_documents: keepsDocuments };
			const audit = { ...author, action: "source.deleted", target: id, details } as const;
			if (!(await sources.delete(id, keepsDocuments, clock.now(), audit))) throw sourceNotFound(id);
			if (last_sync !== null) running.cancel(last_sync.id);
		}),
	};
}

const NO_DOCUMENTS = { total: 0, queued: 0, processing: 0, ready: 0, failed: 0 };

/** Schedule that a change sets. While a sync is queued or running, its end does so. */
function toSchedule({ last_sync }: SourceState, { every_minutes }: SourceUpdate) {
	if (every_minutes === undefined || last_sync?.status === "queued" || last_sync?.status === "running")
		return {};
	const input = { everyMinutes: every_minutes, failures: 0, now: clock.now(), random: Math.random() };
	return { next_sync_at: findNextSync(input) };
}
