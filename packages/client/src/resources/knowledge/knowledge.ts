import type { StemmaClient } from "../../client";
import { path } from "../../http/path";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import type {
	KnowledgeBase,
	KnowledgeBaseCreate,
	KnowledgeBaseUpdate,
} from "../../types/knowledge/knowledge";
import type { Deleted, PageOptions } from "../../types/page";
import { createCollection } from "../collection";
import type { PaginatedList } from "../paginated-list";
import { type Documents, documents } from "./documents";
import { type Reindexes, reindexes } from "./reindexes";
import { type Sources, sources } from "./sources";

/** Knowledge bases, named by id or slug; their documents, the sources that bring documents in, and moves to other vectors. */
export interface Knowledge {
	readonly documents: Documents;
	readonly sources: Sources;
	readonly reindexes: Reindexes;
	list(page?: PageOptions, options?: CallOptions): PaginatedList<KnowledgeBase>;
	get(idOrSlug: string, options?: CallOptions): Promise<WithRequestId<KnowledgeBase>>;
	create(request: KnowledgeBaseCreate, options?: CallOptions): Promise<WithRequestId<KnowledgeBase>>;
	/**
	 * Updates a knowledge base; fields that are left out stay as they are.
	 *
	 * @throws ApiError `knowledge_base_in_use` (409) for another slug, where agents name the old one and `force` is not set.
	 */
	update(
		idOrSlug: string,
		request: KnowledgeBaseUpdate,
		options?: KnowledgeBaseChangeOptions,
	): Promise<WithRequestId<KnowledgeBase>>;
	/**
	 * Deletes a knowledge base with all its documents.
	 *
	 * @throws ApiError `knowledge_base_in_use` (409) where agents name it and `force` is not set.
	 */
	delete(idOrSlug: string, options?: KnowledgeBaseChangeOptions): Promise<WithRequestId<Deleted>>;
}

/** Options of a change that agents may notice. */
export interface KnowledgeBaseChangeOptions extends CallOptions {
	/** Changes it though agents name it: their runs then fail with `knowledge_base_not_found`. Default false. */
	readonly force?: boolean;
}

export function knowledge(client: StemmaClient): Knowledge {
	const change = <Changed extends object>(
		method: "PATCH" | "DELETE",
		idOrSlug: string,
		options?: KnowledgeBaseChangeOptions,
		json: { readonly json?: object } = {},
	) => {
		const query = { force: options?.force === true ? "true" : undefined };
		return client.request<Changed>({
			method,
			path: path`/v1/knowledge-bases/${idOrSlug}`,
			query,
			...json,
			options,
		});
	};
	return {
		documents: documents(client),
		sources: sources(client),
		reindexes: reindexes(client),
		...createCollection<KnowledgeBase>(client, "/v1/knowledge-bases"),
		update: (idOrSlug, json, options) => change("PATCH", idOrSlug, options, { json }),
		delete: (idOrSlug, options) => change("DELETE", idOrSlug, options),
	};
}
