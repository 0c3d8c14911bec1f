import type { StemmaClient } from "../client";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { ClientKey, ClientKeyCreate, CreatedClientKey } from "../types/credential";
import type { Deleted, PageOptions } from "../types/page";
import { createCollection } from "./collection";
import type { PaginatedList } from "./paginated-list";

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

export const clientKeys = (client: StemmaClient): ClientKeys =>
	createCollection<ClientKey, CreatedClientKey>(client, "/v1/client-keys");
