import type { SourceSync, SourceSyncOptions } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { createId } from "../create-id";
import type { PageRequest } from "../pagination";
import { sourceNotFound, syncNotRunning } from "./source-errors";
import { createSourceLookup, type SourceParts } from "./source-lookup";
import { toSyncView } from "./source-view";
import { findNextSync } from "./sync/next-sync";

/** Syncs of the sources of a workspace. All throw `knowledge_base_not_found` and `source_not_found`. */
export interface SourceSyncs {
	/** Queues a sync, or returns the one that is queued or running. */
	sync(knowledgeBase: string, id: string, options: SourceSyncOptions): Promise<SourceSync>;
	/** @throws DomainError `sync_not_running` */
	cancelSync(knowledgeBase: string, id: string): Promise<SourceSync>;
	/** Newest first. */
	listSyncs(knowledgeBase: string, id: string, page: PageRequest): Promise<readonly SourceSync[]>;
}

export function createSourceSyncs(parts: SourceParts): SourceSyncs {
	const { syncs, running } = parts;
	const { get, withId } = createSourceLookup(parts);
	return {
		sync: withId(async (knowledgeBase, id: string, { force = false }: SourceSyncOptions) => {
			await get(knowledgeBase, id);
			const now = clock.now();
			const created = await syncs.create({ id: createId("sync"), source: id, isForced: force, now });
			if (created === undefined) throw sourceNotFound(id);
			return toSyncView(created);
		}),
		cancelSync: withId(async (knowledgeBase, id: string) => {
			const { last_sync, every_minutes: everyMinutes } = await get(knowledgeBase, id);
			if (last_sync === null) throw syncNotRunning(id);
			const now = clock.now();
			const nextSyncAt = findNextSync({ everyMinutes, failures: 0, now, random: Math.random() });
			const end = { sync: last_sync.id, status: "cancelled", error: null, nextSyncAt, now } as const;
			if (!(await syncs.end(end))) throw syncNotRunning(id);
			running.cancel(last_sync.id);
			const [cancelled = last_sync] = await syncs.list(id, { limit: 1 });
			return toSyncView(cancelled);
		}),
		listSyncs: withId(async (knowledgeBase, id: string, page: PageRequest) => {
			await get(knowledgeBase, id);
			return (await syncs.list(id, page)).map(toSyncView);
		}),
	};
}
