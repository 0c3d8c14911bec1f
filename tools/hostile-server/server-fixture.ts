import { setTimeout as wait } from "node:timers/promises";
import { type ConnectionOptions, createClient, type Logger, type StemmaClient } from "@stemma/client";
import {
	type HostileServer,
	type HostileServerOptions,
	startHostileServer,
} from "@stemma/simulators/hostile";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { CLIENT_KEY, CLIENT_SECRET } from "./credentials";
import { findSecrets } from "./find-secrets";
import { countTimers, waitUntilReleased } from "./wait-until-released";

/** A hostile server for each test of a file, and the checks that hold after every one. */
export interface ServerFixture {
	readonly server: HostileServer;
	/** All that the clients have logged. */
	readonly logged: readonly string[];
	/** A client that does not wait before it tries again. */
	client(options?: ConnectionOptions): StemmaClient;
	/** The same, with a client id and a secret. */
	serverClient(options?: ConnectionOptions): StemmaClient;
	/** For a runtime, or any other client. */
	connection(options?: ConnectionOptions): ConnectionOptions & { readonly baseUrl: string };
}

/** On a machine that may be busy. */
const LONG_TIMEOUTS = { headersTimeoutMs: 20_000, idleTimeoutMs: 20_000 };

/** Where waiting is what is tested. */
export const SHORT_TIMEOUTS = { headersTimeoutMs: 1500, idleTimeoutMs: 1000 };

/**
 * After each test no answer is left open, and no secret is logged; after the file, there was no warning of the process and
 * no rejection that nobody heard.
 */
export function useServerFixture(serverOptions?: HostileServerOptions): () => ServerFixture {
	watchProcess();
	let server: HostileServer;
	let logged: string[] = [];
	let timersBefore = 0;
	beforeEach(async () => {
		server = await startHostileServer(serverOptions);
		logged = [];
		timersBefore = countTimers();
	});
	afterEach(async () => {
		await waitUntilReleased(server, timersBefore).finally(() => server.close());
		expect(findSecrets(logged)).toEqual([]);
	});
	const logger: Logger = { debug: (line) => void logged.push(line), warn: (line) => void logged.push(line) };
	const connection = (options: ConnectionOptions = {}) => ({
		timeouts: LONG_TIMEOUTS,
		retryDelayMs: 2,
		logger,
		...options,
		baseUrl: server.baseUrl,
	});
	return () => ({
		server,
		logged,
		client: (options) => createClient({ clientKey: CLIENT_KEY, ...connection(options) }),
		serverClient: (options) =>
			createClient({ clientId: "cl_1", clientSecret: CLIENT_SECRET, ...connection(options) }),
		connection,
	});
}

/** No file may cause a warning, or leave a rejection that nobody hears. */
export function watchProcess(): void {
	const seen: unknown[] = [];
	const note = (one: unknown): void => void seen.push(one);
	beforeAll(() => {
		process.on("warning", note).on("unhandledRejection", note);
	});
	afterAll(async () => {
		await wait(50);
		process.off("warning", note).off("unhandledRejection", note);
		expect(seen).toEqual([]);
	});
}

/** What a call rejects with, and how long it took. */
export async function catchError(work: PromiseLike<unknown>): Promise<Error & Record<string, unknown>> {
	const outcome = await Promise.resolve(work).then(
		(value) => ({ value }),
		(error: unknown) => ({ error }),
	);
	if (!("error" in outcome)) return expect.unreachable(`It gave ${JSON.stringify(outcome.value)}`);
	expect(findSecrets(outcome.error)).toEqual([]);
	return outcome.error as Error & Record<string, unknown>;
}
