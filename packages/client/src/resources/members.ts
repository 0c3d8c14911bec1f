import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { Deleted, PageOptions } from "../types/page";
import type { Member, MemberUpdate } from "../types/people";
import { createPaginatedList, type PaginatedList } from "./paginated-list";

/** Page and filter of a list of members. */
export interface MemberListOptions extends PageOptions {
	/** Default `active`. */
	readonly status?: Member["status"];
}

/** People of the workspace. */
export interface Members {
	list(filter?: MemberListOptions, options?: CallOptions): PaginatedList<Member>;
	/**
	 * Changes the role of a member, from the next request on.
	 *
	 * @throws ConflictError `last_admin`
	 */
	update(id: string, request: MemberUpdate, options?: CallOptions): Promise<WithRequestId<Member>>;
	/**
	 * Removes a member and ends their sessions.
	 *
	 * @throws ConflictError `last_admin`
	 */
	delete(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
}

const PATH = "/v1/members";

export const members = (client: StemmaClient): Members => ({
	list: (filter, options) => createPaginatedList(client, PATH, filter, options),
	update: (id, json, options) =>
		client.request({ method: "PATCH", path: PATH + path`/${id}`, json, options }),
	delete: (id, options) => client.request({ method: "DELETE", path: PATH + path`/${id}`, options }),
});
