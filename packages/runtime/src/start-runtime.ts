import { existsSync } from "node:fs";
import { ConfigurationError } from "@stemma/core/errors";
import { isLoopbackAddress, isTrustedProxyEntry, listen } from "@stemma/protocol";
import { type NodeRuntimeOptions, toSource } from "./create-node-runtime";
import { createRuntimeFrom, type Runtime } from "./create-runtime";
import { createNodeServer, type NodeServer, type ServerTimeouts } from "./http/node/node-server";
import { resolveAccess } from "./http/request/access";
import { createSchemaThread } from "./schema-check/schema-thread";

/** Port on which a runtime listens by default. */
export const DEFAULT_PORT = 4120;
export const DEFAULT_HOST = "127.0.0.1";
const SETTINGS = { host: "--host (option `host`)", port: "--port (option `port`)" };

export interface StartRuntimeOptions extends NodeRuntimeOptions {
	/** Default 4120; 0 for any that is free. */
	readonly port?: number | undefined;
	/** Default `127.0.0.1`; other machines reach only a runtime with a token, or with `allowAnonymous`. */
	readonly host?: string | undefined;
	/** Time limits for the requests of clients. */
	readonly timeouts?: ServerTimeouts | undefined;
	/**
	 * Proxies before the runtime, whose `X-Forwarded-For` or `Forwarded` tells the addresses that take turns: addresses, ranges
	 * such as `10.0.0.0/8`, or `loopback`. Default: none.
	 */
	readonly trustedProxies?: readonly string[] | undefined;
}

/** A runtime that listens on a port. */
export interface RunningRuntime {
	readonly url: string;
	readonly port: number;
	/** The agent files in one line, for a person. */
	describe(): string;
	/**
	 * Ends the runs as {@link Runtime.close} says, and stops listening then: until a run has ended it can be followed and
	 * cancelled, new ones are refused, and `/healthz` says so.
	 */
	close(graceMs?: number): Promise<void>;
}

/**
 * Starts a runtime on a port of this machine.
 *
 * @throws ConfigurationError when the port is taken, the address is not this machine's, or other machines could reach a
 * runtime that has no token; and as `createRuntime` does.
 */
export async function startRuntime(options: StartRuntimeOptions): Promise<RunningRuntime> {
	const {
		port = DEFAULT_PORT,
		host = DEFAULT_HOST,
		log = (line) => void process.stderr.write(`${line}\n`),
	} = options;
	const { kind } = resolveAccess(options, process.env);
	if (kind === "loopback" && !isLoopbackAddress(host)) throw tokenRequired(host);
	assertTrustedProxies(options.trustedProxies ?? []);
	const runtime = await createRuntimeFrom(toSource(options), options, createSchemaThread());
	try {
		const nodeServer = await createNodeServer(runtime.handle, options);
		const { port: boundPort } = await listen(nodeServer.server, { host, port, settings: SETTINGS });
		runtime.watchService();
		if (isLoopbackAddress(host) && isContainer())
			log(`${CONTAINER_NOTE} Set ${kind === "loopback" ? "STEMMA_RUNTIME_TOKEN and " : ""}--host 0.0.0.0.`);
		return {
			url: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`,
			port: boundPort,
			describe: runtime.describe,
			close: (graceMs) => closeServer(nodeServer, runtime, graceMs),
		};
	} catch (error) {
		await runtime.close(0);
		throw error;
	}
}

const tokenRequired = (host: string): ConfigurationError =>
	new ConfigurationError(
		`Other machines could reach ${JSON.stringify(host)}, and the runtime has no token.`,
		{
			code: "token_required",
			hint: "Set STEMMA_RUNTIME_TOKEN, or bind to 127.0.0.1; --allow-anonymous (`allowAnonymous`) opens it to everyone.",
		},
	);

function assertTrustedProxies(entries: readonly string[]): void {
	const index = entries.findIndex((entry) => !isTrustedProxyEntry(entry));
	if (index < 0) return;
	throw new ConfigurationError(`${JSON.stringify(entries[index])} names no proxy that can be trusted.`, {
		option: `trustedProxies[${index}]`,
		hint: 'Set --trusted-proxies (option `trustedProxies`) to addresses, ranges such as "10.0.0.0/8" but not of all addresses, or the word "loopback".',
	});
}

const isContainer = (): boolean =>
	existsSync("/.dockerenv") || process.env.KUBERNETES_SERVICE_HOST !== undefined;

const CONTAINER_NOTE = "note: This looks like a container, and nothing outside reaches a loopback address.";

/** Streams get their last event and a moment to deliver it; connections that stay open are cut then. */
async function closeServer(
	{ server, drain }: NodeServer,
	runtime: Runtime,
	graceMs: number | undefined,
): Promise<void> {
	drain();
	await runtime.close(graceMs);
	const closed = new Promise<void>((resolve) => {
		server.close(() => resolve());
	});
	server.closeIdleConnections();
	const forceClose = setTimeout(() => server.closeAllConnections(), FLUSH_MS);
	await closed;
	clearTimeout(forceClose);
}

const FLUSH_MS = 1_000;
