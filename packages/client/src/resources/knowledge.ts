import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { KnowledgeBase, KnowledgeBaseCreate, KnowledgeBaseUpdate } from "../types/knowledge";
import type { Deleted, PageOptions } from "../types/page";
import { type Documents, documents } from "./documents";
import { createPaginatedList, type PaginatedList } from "./paginated-list";

/** Knowledge bases and their documents. */
export interface Knowledge {
	readonly documents: Documents;
	list(page?: PageOptions, options?: CallOptions): PaginatedList<KnowledgeBase>;
	get(id: string, options?: CallOptions): Promise<WithRequestId<KnowledgeBase>>;
	create(request: KnowledgeBaseCreate, options?: CallOptions): Promise<WithRequestId<KnowledgeBase>>;
	/** Updates a knowledge base; fields that are left out stay as they are. */
	update(
		id: string,
		request: KnowledgeBaseUpdate,
		options?: CallOptions,
	): Promise<WithRequestId<KnowledgeBase>>;
	/** Deletes a knowledge base with all its documents. */
	delete(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
}

export function knowledge(client: StemmaClient): Knowledge {
	return {
		documents: documents(client),
		list: (page = {}, options) => createPaginatedList(client, "/v1/knowledge-bases", { ...page }, options),
		get: (id, options) => client.request({ method: "GET", path: path`/v1/knowledge-bases/${id}`, options }),
		create: (request, options) =>
			client.request({ method: "POST", path: "/v1/knowledge-bases", json: request, options }),
		update: (id, request, options) =>
			client.request({ method: "PATCH", path: path`/v1/knowledge-bases/${id}`, json: request, options }),
		delete: (id, options) =>
			client.request({ method: "DELETE", path: path`/v1/knowledge-bases/${id}`, options }),
	};
}
