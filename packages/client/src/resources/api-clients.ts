import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { ApiClient, ApiClientCreate, CreatedApiClient } from "../types/credential";
import type { Deleted, PageOptions } from "../types/page";
import { createCollection } from "./collection";
import type { PaginatedList } from "./paginated-list";

/** Credentials of servers. */
export interface ApiClients {
	list(page?: PageOptions, options?: CallOptions): PaginatedList<ApiClient>;
	get(id: string, options?: CallOptions): Promise<WithRequestId<ApiClient>>;
	/**
	 * The secret is shown this once.
	 *
	 * @throws ConflictError `already_created` with `details.id` when the same call had come through before: without the
	 * secret, so rotate it.
	 */
	create(request: ApiClientCreate, options?: CallOptions): Promise<WithRequestId<CreatedApiClient>>;
	/**
	 * Deletes a client and ends its tokens.
	 *
	 * @throws PermissionError `missing_scope`, with the scopes of that client that the caller lacks in `details.scopes`.
	 * @throws ConflictError `client_in_use` for the caller itself; `last_manager` where no other client has `keys:write` and
	 * all scopes of this one.
	 */
	delete(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
	/**
	 * Gives a client a new secret; the old one and its tokens end at once.
	 *
	 * @throws PermissionError and ConflictError `last_manager` as {@link ApiClients.delete}: a new secret may be lost on its
	 * way.
	 */
	rotate(id: string, options?: CallOptions): Promise<WithRequestId<CreatedApiClient>>;
}

export function apiClients(client: StemmaClient): ApiClients {
	return {
		...createCollection<ApiClient, CreatedApiClient>(client, "/v1/clients"),
		// A second rotation would end the secret of the first.
		rotate: (id, options) =>
			client.request({
				method: "POST",
				path: path`/v1/clients/${id}/rotate`,
				retry: "if-not-started",
				options,
			}),
	};
}
