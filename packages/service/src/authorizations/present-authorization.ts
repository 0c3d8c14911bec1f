import type { Authorization } from "@stemma/client";
import type { StoredAuthorization } from "./stored-authorizations";

/** Converts an authorization to what its person sees. */
export const toAuthorization = ({
	client_id,
	client_name,
	workspace_id: _,
	created_at,
	last_used_at,
	...authorization
}: StoredAuthorization): Authorization => ({
	...authorization,
	client: { id: client_id, name: client_name },
	created_at: new Date(created_at).toISOString(),
	last_used_at: new Date(last_used_at).toISOString(),
});
