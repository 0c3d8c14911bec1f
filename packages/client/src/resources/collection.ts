import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions } from "../options/call-options";
import type { Deleted, PageOptions } from "../types/page";
import { createPaginatedList } from "./paginated-list";

/** Methods of a collection of the service: things of one kind under one path, each with an id. */
export const createCollection = <Item extends object, Created extends object = Item, Listed = Item>(
	client: StemmaClient,
	collectionPath: string,
) => ({
	list: (query?: PageOptions, options?: CallOptions) =>
		createPaginatedList<Listed>(client, collectionPath, query, options),
	get: (id: string, options?: CallOptions) =>
		client.request<Item>({ method: "GET", path: collectionPath + path`/${id}`, options }),
	create: (json: object, options?: CallOptions) =>
		client.request<Created>({ method: "POST", path: collectionPath, json, options }),
	delete: (id: string, options?: CallOptions) =>
		client.request<Deleted>({ method: "DELETE", path: collectionPath + path`/${id}`, options }),
});
