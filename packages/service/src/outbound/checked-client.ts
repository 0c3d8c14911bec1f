import { Agent, fetch, type RequestInit, type Response } from "undici";
import { type ConnectorOptions, createCheckedConnector } from "./checked-connector";

/** HTTP client that connects to checked addresses alone, and uses its connections again. */
export interface CheckedClient {
	/** Calls a URL like the platform's `fetch`, without following redirects. */
	fetch(url: string, init: globalThis.RequestInit): Promise<Response>;
	/** Ends all calls and connections; later calls fail. */
	destroy(): Promise<void>;
}

export function createCheckedClient(options: ConnectorOptions): CheckedClient {
	const agent = new Agent({
		connect: createCheckedConnector(options),
		// Silence is for the caller to judge: some models think for long. The time limit of the call ends it at last.
		headersTimeout: 0,
		bodyTimeout: 0,
	});
	return {
		// The same shapes; the package has types of its own.
		fetch: (url, init) => fetch(url, { ...init, redirect: "manual", dispatcher: agent } as RequestInit),
		destroy: () => agent.destroy(),
	};
}
