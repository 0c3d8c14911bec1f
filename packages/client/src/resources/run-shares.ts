import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { Deleted, PageOptions } from "../types/page";
import type { CreatedRunShare, RunShare, RunShareCreate, SharedRun } from "../types/run-share";
import { createPaginatedList, type PaginatedList } from "./paginated-list";

/** Page and filter of a list of links to runs. */
export interface RunShareListOptions extends PageOptions {
	readonly run_id?: string;
}

/** Links by which people see parts of a run without signing in. */
export interface RunShares {
	/**
	 * Creates a link to a run that has ended and that you may see; it is shown this once.
	 *
	 * @throws ConflictError `run_not_ended`; `already_created` with `details.id` when the same call had come through before.
	 * @throws PermissionError `missing_scope` for fields that you may not see yourself.
	 */
	create(
		runId: string,
		request: RunShareCreate,
		options?: CallOptions,
	): Promise<WithRequestId<CreatedRunShare>>;
	/** Lists your links that are valid, newest first; those of all members and clients for admins. */
	list(filter?: RunShareListOptions, options?: CallOptions): PaginatedList<RunShare>;
	/** Revokes a link of yours, or any one for admins: it is no longer valid. */
	delete(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
	/**
	 * Opens a link by its token, without a credential.
	 *
	 * @throws NotFoundError `share_not_found` for one that is unknown, expired or revoked, or whose run is not there any more.
	 */
	open(token: string, options?: CallOptions): Promise<WithRequestId<SharedRun>>;
}

const PATH = "/v1/shares";

export const runShares = (client: StemmaClient): RunShares => ({
	create: (runId, json, options) =>
		client.request({ method: "POST", path: path`/v1/runs/${runId}/shares`, json, options }),
	list: (filter, options) => createPaginatedList(client, PATH, filter, options),
	delete: (id, options) => client.request({ method: "DELETE", path: PATH + path`/${id}`, options }),
	open: (token, options) =>
		client.request({
			...{ method: "POST", path: "/v1/shared-runs", anonymous: true },
			json: { token },
			options,
		}),
});
