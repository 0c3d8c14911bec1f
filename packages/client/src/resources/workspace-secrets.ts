import type { StemmaClient } from "../client";
import { path } from "../http/path";
import { requestWithSecret } from "../http/secret-request";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { Deleted, PageOptions } from "../types/page";
import type { WorkspaceSecret, WorkspaceSecretUpdate } from "../types/workspace-secret";
import { createPaginatedList, type PaginatedList } from "./paginated-list";

/** Secrets that tools send, each to one server alone. Their values go in and never come out again. */
export interface WorkspaceSecrets {
	list(page?: PageOptions, options?: CallOptions): PaginatedList<WorkspaceSecret>;
	get(name: string, options?: CallOptions): Promise<WithRequestId<WorkspaceSecret>>;
	/**
	 * Makes it, or replaces what is stored.
	 *
	 * @throws NotConfiguredError `encryption_not_configured` where the service has nothing to seal a value with.
	 */
	set(
		name: string,
		request: WorkspaceSecretUpdate,
		options?: CallOptions,
	): Promise<WithRequestId<WorkspaceSecret>>;
	/** `id` of what remains is the name. */
	delete(name: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
}

export function workspaceSecrets(client: StemmaClient): WorkspaceSecrets {
	const toPath = (name: string): string => path`/v1/workspace/secrets/${name}`;
	return {
		list: (page = {}, options) => createPaginatedList(client, "/v1/workspace/secrets", { ...page }, options),
		get: (name, options) => client.request({ method: "GET", path: toPath(name), options }),
		set: (name, request, options) =>
			requestWithSecret(client, { method: "PUT", path: toPath(name), json: request, options }, request.value),
		delete: (name, options) => client.request({ method: "DELETE", path: toPath(name), options }),
	};
}
