import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { Deleted, PageOptions } from "../types/page";
import type { CreatedWorkspace, Workspace, WorkspaceCreate, WorkspaceUpdate } from "../types/workspace";
import { createCollection } from "./collection";
import type { PaginatedList } from "./paginated-list";

/** The workspaces of a deployment, as objects. All of it needs the scope `deployment:write`. */
export interface Workspaces {
	/** Oldest first. */
	list(page?: PageOptions, options?: CallOptions): PaginatedList<Workspace>;
	get(id: string, options?: CallOptions): Promise<WithRequestId<Workspace>>;
	/**
	 * The credentials of its first client are shown this once.
	 *
	 * @throws ConflictError `name_taken`; `already_created` with `details.id` when the same call had come through before:
	 * without the credentials, so delete that workspace and create another.
	 */
	create(request: WorkspaceCreate, options?: CallOptions): Promise<WithRequestId<CreatedWorkspace>>;
	/** Updates a workspace. @throws ConflictError `name_taken` */
	update(id: string, request: WorkspaceUpdate, options?: CallOptions): Promise<WithRequestId<Workspace>>;
	/**
	 * Deletes a workspace with everything in it, for good: documents, agents, runs, settings, usage and credentials.
	 *
	 * @throws ConflictError `runs_in_flight`: end its runs and requests first, or wait; `workspace_in_use` for the workspace of the
	 * caller; `last_workspace`.
	 */
	delete(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
}

export function workspaces(client: StemmaClient): Workspaces {
	return {
		...createCollection<Workspace, CreatedWorkspace>(client, "/v1/workspaces"),
		update: (id, json, options) =>
			client.request({ method: "PATCH", path: path`/v1/workspaces/${id}`, json, options }),
	};
}
