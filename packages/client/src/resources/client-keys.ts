import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { ClientKey, ClientKeyCreate, CreatedClientKey } from "../types/credential";
import type { Deleted, PageOptions } from "../types/page";
import { createPaginatedList, type PaginatedList } from "./paginated-list";

/** Credentials of browsers and phones. */
export interface ClientKeys {
	list(page?: PageOptions, options?: CallOptions): PaginatedList<ClientKey>;
	get(id: string, options?: CallOptions): Promise<WithRequestId<ClientKey>>;
	/**
	 * The key is shown this once.
	 *
	 * @throws ConflictError `already_created` with `details.id` when the same call had come through before: without the key.
	 */
	create(request: ClientKeyCreate, options?: CallOptions): Promise<WithRequestId<CreatedClientKey>>;
	delete(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
}

export function clientKeys(client: StemmaClient): ClientKeys {
	return {
		list: (page = {}, options) => createPaginatedList(client, "/v1/client-keys", { ...page }, options),
		get: (id, options) => client.request({ method: "GET", path: path`/v1/client-keys/${id}`, options }),
		create: (request, options) =>
			client.request({ method: "POST", path: "/v1/client-keys", json: request, options }),
		delete: (id, options) => client.request({ method: "DELETE", path: path`/v1/client-keys/${id}`, options }),
	};
}
