import type { StemmaClient } from "../../client";
import { path } from "../../http/path";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import type {
	Source,
	SourceCreate,
	SourceDeleteOptions,
	SourceSync,
	SourceSyncOptions,
	SourceUpdate,
} from "../../types/knowledge/source";
import type { Deleted, PageOptions } from "../../types/page";
import { createCollection } from "../collection";
import { createPaginatedList, type PaginatedList } from "../paginated-list";

/** Sources of knowledge bases: places that bring documents in and keep them up to date. */
export interface Sources {
	/** Creates a source. Its first sync starts at once: `get` shows it as `last_sync`. */
	create(
		knowledgeBaseId: string,
		request: SourceCreate,
		options?: CallOptions,
	): Promise<WithRequestId<Source>>;
	list(knowledgeBaseId: string, page?: PageOptions, options?: CallOptions): PaginatedList<Source>;
	get(knowledgeBaseId: string, sourceId: string, options?: CallOptions): Promise<WithRequestId<Source>>;
	/** Updates a source; fields that are left out stay as they are. */
	update(
		knowledgeBaseId: string,
		sourceId: string,
		request: SourceUpdate,
		options?: CallOptions,
	): Promise<WithRequestId<Source>>;
	/** Deletes a source and stops its sync. Its documents are deleted within moments, unless they are kept. */
	delete(
		knowledgeBaseId: string,
		sourceId: string,
		request?: SourceDeleteOptions,
		options?: CallOptions,
	): Promise<WithRequestId<Deleted>>;
	/** Starts a sync, or returns the one that is queued or running. */
	sync(
		knowledgeBaseId: string,
		sourceId: string,
		request?: SourceSyncOptions,
		options?: CallOptions,
	): Promise<WithRequestId<SourceSync>>;
	/** Cancels the sync that is queued or running; what it has stored stays. @throws ApiError `sync_not_running` (409) */
	cancelSync(
		knowledgeBaseId: string,
		sourceId: string,
		options?: CallOptions,
	): Promise<WithRequestId<SourceSync>>;
	/** Lists the last 20 syncs, newest first. */
	listSyncs(
		knowledgeBaseId: string,
		sourceId: string,
		page?: PageOptions,
		options?: CallOptions,
	): PaginatedList<SourceSync>;
}

export function sources(client: StemmaClient): Sources {
	const toPath = (base: string, id = ""): string =>
		path`/v1/knowledge-bases/${base}/sources` + (id && path`/${id}`);
	const collectionOf = (base: string) => createCollection<Source>(client, toPath(base));
	return {
		create: (base, request, options) => collectionOf(base).create(request, options),
		list: (base, page, options) => collectionOf(base).list(page, options),
		get: (base, id, options) => collectionOf(base).get(id, options),
		update: (base, id, json, options) =>
			client.request({ method: "PATCH", path: toPath(base, id), json, options }),
		delete: (base, id, { keepDocuments } = {}, options) =>
			client.request({
				method: "DELETE",
				path: toPath(base, id),
				query: { keep_documents: keepDocuments ? "true" : undefined },
				options,
			}),
		sync: (base, id, json = {}, options) =>
			client.request({ method: "POST", path: `${toPath(base, id)}/sync`, json, options }),
		cancelSync: (base, id, options) =>
			client.request({ method: "POST", path: `${toPath(base, id)}/sync/cancel`, options }),
		listSyncs: (base, id, page, options) =>
			createPaginatedList(client, `${toPath(base, id)}/syncs`, page, options),
	};
}
