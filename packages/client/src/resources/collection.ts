import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { Deleted, PageOptions } from "../types/page";
import { createPaginatedList, type PaginatedList } from "./paginated-list";

/** Methods that all collections of the service have. */
export interface Collection<Item, Created, Listed> {
	list(query?: PageOptions, options?: CallOptions): PaginatedList<Listed>;
	get(id: string, options?: CallOptions): Promise<WithRequestId<Item>>;
	create(request: object, options?: CallOptions): Promise<WithRequestId<Created>>;
	delete(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
}

/** Things of one kind under one path, each with an id, as REST has them. */
export const createCollection = <Item extends object, Created extends object = Item, Listed = Item>(
	client: StemmaClient,
	collectionPath: string,
): Collection<Item, Created, Listed> => ({
	list: (query, options) => createPaginatedList(client, collectionPath, query, options),
	get: (id, options) => client.request({ method: "GET", path: collectionPath + path`/${id}`, options }),
	create: (json, options) => client.request({ method: "POST", path: collectionPath, json, options }),
	delete: (id, options) => client.request({ method: "DELETE", path: collectionPath + path`/${id}`, options }),
});
