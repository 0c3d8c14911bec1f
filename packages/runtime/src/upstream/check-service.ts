import { ApiError, type StemmaClient } from "@stemma/client";
import { isStemmaError } from "@stemma/core/errors";

/** Last known state of the service that a runtime uses. */
export type ServiceState =
	/** `none`: the runtime uses no service. `unchecked`: no check has ended yet. */
	| { readonly status: "none" | "unchecked" | "ok" }
	/** `refused`: it refuses the credentials. `unavailable`: it cannot be reached, or is not ready. `code` says why. */
	| { readonly status: "refused" | "unavailable"; readonly code: string };

/** A service that takes longer is not there for this check. */
const CHECK_TIMEOUT_MS = 5_000;

const OPTIONS = { timeouts: { headersTimeoutMs: CHECK_TIMEOUT_MS, timeoutMs: CHECK_TIMEOUT_MS } } as const;

/**
 * Tries the runtime's credentials with a request that costs nothing. Undefined where the answer says nothing about them.
 */
export async function checkCredentials(client: StemmaClient): Promise<ServiceState | undefined> {
	try {
		await client.request({
			method: "GET",
			path: "/v1/agents",
			query: { limit: 1 },
			retry: "never",
			options: OPTIONS,
		});
		return { status: "ok" };
	} catch (error) {
		const status = ApiError.is(error) ? error.status : 0;
		const code = isStemmaError(error) ? error.code : "unexpected_error";
		if (status === 401) return { status: "refused", code };
		// The token is good, whatever its scopes are.
		if (status === 403) return { status: "ok" };
		if (status === 429) return undefined;
		return { status: "unavailable", code };
	}
}

/**
 * Status of an agent on the service: `forbidden` if this runtime may not run it, `unknown` if the service did not say.
 */
export type RemoteAgentStatus = "found" | "missing" | "forbidden" | "unknown";

/** Asks the service for an agent by its id or slug. */
export async function checkRemoteAgent(
	client: StemmaClient,
	remoteAgentId: string,
): Promise<RemoteAgentStatus> {
	try {
		const path = `/v1/agents/${encodeURIComponent(remoteAgentId)}`;
		await client.request({ method: "GET", path, retry: "never", options: OPTIONS });
		return "found";
	} catch (error) {
		if (!ApiError.is(error)) return "unknown";
		// Another 404 than the service's own would be a proxy's.
		if (error.status === 404 && error.code === "agent_not_found") return "missing";
		return error.status === 403 ? "forbidden" : "unknown";
	}
}
