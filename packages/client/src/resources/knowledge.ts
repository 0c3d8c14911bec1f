import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { KnowledgeBase, KnowledgeBaseCreate, KnowledgeBaseUpdate } from "../types/knowledge";
import type { Deleted, PageOptions } from "../types/page";
import { createCollection } from "./collection";
import { type Documents, documents } from "./documents";
import type { PaginatedList } from "./paginated-list";

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
		...createCollection<KnowledgeBase>(client, "/v1/knowledge-bases"),
		update: (id, json, options) =>
			client.request({ method: "PATCH", path: path`/v1/knowledge-bases/${id}`, json, options }),
	};
}
