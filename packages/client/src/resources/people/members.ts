import type { StemmaClient } from "../../client";
import { readJsonLines } from "../../http/json-lines";
import { path } from "../../http/path";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import type { Deleted, PageOptions } from "../../types/page";
import type { MemberData } from "../../types/people/member-data";
import type { Member, MemberUpdate } from "../../types/people/people";
import { createPaginatedList, type PaginatedList } from "../paginated-list";

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
	/**
	 * Reads what the workspace has about a member, as it arrives: for admins, and for the person. Nothing is sent before it is
	 * read, and each `for await` sends anew.
	 *
	 * @throws ApiError `invalid_response` where the response ends too early.
	 */
	export(id: string, options?: CallOptions): AsyncIterable<MemberData>;
	/**
	 * Deletes a member with their threads, runs, feedback, sessions and the access of apps, for good. The id stays in the
	 * audit and in receipts, and no longer has a name.
	 *
	 * @throws ConflictError `last_admin`
	 */
	erase(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
}

const PATH = "/v1/members";

export const members = (client: StemmaClient): Members => ({
	list: (filter, options) => createPaginatedList(client, PATH, filter, options),
	update: (id, json, options) =>
		client.request({ method: "PATCH", path: PATH + path`/${id}`, json, options }),
	delete: (id, options) => client.request({ method: "DELETE", path: PATH + path`/${id}`, options }),
	export: (id, options) => ({
		async *[Symbol.asyncIterator]() {
			const request = { method: "GET", path: PATH + path`/${id}/export`, options } as const;
			yield* readJsonLines<MemberData>(await client.open(request));
		},
	}),
	erase: (id, options) => client.request({ method: "DELETE", path: PATH + path`/${id}/data`, options }),
});
