import { afterEach, beforeEach } from "vitest";
import type { StemmaClient } from "../client";
import { createClient } from "../create-client";
import type { ConnectionOptions } from "../options/client-options";
import { createTestServer, type TestServer } from "./test-server";

export const CLIENT_KEY = "ck_1_topsecretclientkey";

/** A server for each test of a file. */
export function useTestServer(): () => TestServer {
	let server: TestServer | undefined;
	beforeEach(async () => {
		server = await createTestServer();
	});
	afterEach(() => server?.close());
	return () => {
		if (server === undefined) throw new Error("The server runs during tests alone.");
		return server;
	};
}

/** A client that does not wait long. */
export const clientOf = (server: TestServer, options: ConnectionOptions = {}): StemmaClient =>
	createClient({ clientKey: CLIENT_KEY, baseUrl: server.url, retryDelayMs: 5, ...options });
