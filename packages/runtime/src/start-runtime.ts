import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { ConfigurationError } from "@stemma/core/errors";
import { createRuntime, type Runtime, type RuntimeOptions } from "./create-runtime";
import { resolveAccess } from "./http/access";
import { HttpError, toErrorResponse } from "./http/http-error";
import { isLoopbackAddress } from "./http/loopback";
import { createRequestId } from "./http/request-id";

export interface StartRuntimeOptions extends RuntimeOptions {
	/** Default 4120; 0 for any that is free. */
	readonly port?: number | undefined;
	/** Default `127.0.0.1`; other machines reach only a runtime with a token, or with `allowAnonymous`. */
	readonly host?: string | undefined;
}

/** A runtime that listens on a port. */
export interface RunningRuntime {
	readonly url: string;
	readonly port: number;
	/** The agent files in one line, for a person. */
	describe(): string;
	/** Stops listening and ends the runs, as {@link Runtime.close} says. */
	close(graceMs?: number): Promise<void>;
}

/**
 * Starts a runtime on a port of this machine.
 *
 * @throws ConfigurationError when the port is taken, the address is not this machine's, or other machines could reach a
 * runtime that has no token; and as `createRuntime` does.
 */
export async function startRuntime(options: StartRuntimeOptions): Promise<RunningRuntime> {
	const { port = 4120, host = "127.0.0.1", log = (line) => void process.stderr.write(`${line}\n`) } = options;
	const { kind } = resolveAccess(options, process.env);
	if (kind === "loopback" && !isLoopbackAddress(host)) throw tokenNeeded(host);
	const runtime = await createRuntime(options);
	try {
		const server = await listen(runtime, port, host);
		const { port: bound } = server.address() as AddressInfo;
		if (kind === "loopback" && isContainer()) log(CONTAINER_NOTE);
		return {
			url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
			port: bound,
			describe: runtime.describe,
			close: (graceMs) => closeServer(server, runtime, graceMs),
		};
	} catch (error) {
		await runtime.close(0);
		throw error;
	}
}

const tokenNeeded = (host: string): ConfigurationError =>
	new ConfigurationError(
		`Other machines could reach ${JSON.stringify(host)}, and the runtime has no token.`,
		{
			code: "token_needed",
			hint: "Set STEMMA_RUNTIME_TOKEN, or bind to 127.0.0.1; --allow-anonymous (`allowAnonymous`) opens it to everyone.",
		},
	);

const isContainer = (): boolean =>
	existsSync("/.dockerenv") || process.env.KUBERNETES_SERVICE_HOST !== undefined;

const CONTAINER_NOTE =
	"note: This looks like a container, and nothing outside reaches a loopback address. Set STEMMA_RUNTIME_TOKEN and --host 0.0.0.0.";

function listen(runtime: Runtime, port: number, host: string): Promise<Server> {
	const listener = getRequestListener(runtime.fetch, {
		// A server inside someone's program leaves that program's globals alone.
		overrideGlobalObjects: false,
		errorHandler: refuseRequest,
	});
	const server = createServer((request, response) => void listener(request, response));
	return new Promise((resolve, reject) => {
		server.once("error", (error) => reject(explainListen(error, port, host)));
		try {
			server.listen({ port, host, exclusive: true }, () => resolve(server));
		} catch (error) {
			reject(explainListen(error, port, host));
		}
	});
}

/** For requests that are none: no host, or one that cannot be. */
const refuseRequest = (): Response =>
	toErrorResponse(
		new HttpError(400, "The request's address or host is not valid.", { code: "invalid_request" }),
		createRequestId(),
	);

function explainListen(error: unknown, port: number, host: string): ConfigurationError {
	const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
	const known: Readonly<Record<string, string>> = {
		EADDRINUSE: `Port ${port} of ${host} is in use. Stop what listens there, or choose another --port (option \`port\`).`,
		EACCES: `Listening on port ${port} is not allowed. Choose a --port above 1023 (option \`port\`).`,
		EADDRNOTAVAIL: `${host} is not an address of this machine. Change --host (option \`host\`).`,
		ENOTFOUND: `${host} is not a name of this machine. Change --host (option \`host\`).`,
		ERR_SOCKET_BAD_PORT: `${port} is not a port. Choose one from 0 to 65535.`,
	};
	return new ConfigurationError(known[code] ?? `Listening on ${host}, port ${port}, failed (${code}).`, {
		code: code === "EADDRINUSE" ? "port_in_use" : "cannot_listen",
		cause: error,
	});
}

/** Streams get their last event and a moment to deliver it; connections that stay open are cut then. */
async function closeServer(server: Server, runtime: Runtime, graceMs: number | undefined): Promise<void> {
	const closed = new Promise<void>((resolve) => {
		server.close(() => resolve());
	});
	await runtime.close(graceMs);
	server.closeIdleConnections();
	const cut = setTimeout(() => server.closeAllConnections(), DELIVERY_MS);
	await closed;
	clearTimeout(cut);
}

const DELIVERY_MS = 1_000;
