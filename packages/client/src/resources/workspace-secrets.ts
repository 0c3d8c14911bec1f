import type { StemmaClient } from "../client";
import { path } from "../http/path";
import { requestWithSecret } from "../http/secret-request";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { Deleted, PageOptions } from "../types/page";
import type { WorkspaceSecret, WorkspaceSecretUpdate } from "../types/workspace-secret";
import { createCollection } from "./collection";
import type { PaginatedList } from "./paginated-list";

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
	const { create: _, ...collection } = createCollection<WorkspaceSecret>(client, "/v1/workspace/secrets");
	return {
		...collection,
		set: (name, json, options) =>
			requestWithSecret(
				client,
				{ method: "PUT", path: path`/v1/workspace/secrets/${name}`, json, options },
				json.value,
			),
	};
}
