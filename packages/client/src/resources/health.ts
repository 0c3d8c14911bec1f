import type { StemmaClient } from "../client";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { ServiceHealth, ServiceReadiness } from "../types/health";

/**
 * Health checks of a service as it is now: they need no credential and are not retried. Not for pages of another
 * origin.
 */
export interface Health {
	/** Checks whether the service is alive. */
	alive(options?: CallOptions): Promise<WithRequestId<ServiceHealth>>;
	/**
	 * Checks whether the service can do its work.
	 *
	 * @throws ServerError with status 503 while it starts or stops.
	 */
	ready(options?: CallOptions): Promise<WithRequestId<ServiceReadiness>>;
}

export function health(client: StemmaClient): Health {
	return {
		alive: (options) => client.request({ ...PUBLIC_REQUEST, path: "/healthz", options }),
		ready: (options) => client.request({ ...PUBLIC_REQUEST, path: "/readyz", options }),
	};
}

/** A service that cannot give an access token yet can tell why. */
const PUBLIC_REQUEST = { method: "GET", retry: "never", anonymous: true } as const;
