import type { CallOptions, WithRequestId } from "./call-options";
import type { StemmaClient } from "./client";
import type { ServiceHealth, ServiceReadiness } from "./types/health";

/** How a service is doing, now: neither is tried again by itself. Not for pages of another origin. */
export interface Health {
	/** Whether it is alive. */
	alive(options?: CallOptions): Promise<WithRequestId<ServiceHealth>>;
	/**
	 * Whether it can do its work.
	 *
	 * @throws ServerError with status 503 while it starts or stops.
	 */
	ready(options?: CallOptions): Promise<WithRequestId<ServiceReadiness>>;
}

export function health(client: StemmaClient): Health {
	return {
		alive: (options) => client.request({ method: "GET", path: "/healthz", retry: "never", options }),
		ready: (options) => client.request({ method: "GET", path: "/readyz", retry: "never", options }),
	};
}
