import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { listen } from "@stemma/protocol";
import { startSpanExport } from "@stemma/telemetry";
import type { Service } from "./assemble-service";
import type { Configuration } from "./configuration/configuration";
import { createLogger } from "./configuration/create-logger";
import { listSecrets } from "./configuration/list-secrets";
import { createService, type ServiceOptions } from "./create-service";
import { createNodeServer } from "./http/node-server";
import { respondWhileStarting } from "./http/startup-response";
import { createRedactor } from "./redaction/redactor";
import { STEMMA_VERSION } from "./stemma-version";
import type { BootstrapCredentials } from "./workspaces/bootstrap";

/** Running service, which listens on a port. */
export interface RunningService {
	/** `http://127.0.0.1:4000` */
	readonly url: string;
	readonly port: number;
	readonly bootstrapCredentials: BootstrapCredentials;
	/**
	 * Refuses new requests, then closes the service; see {@link Service}. One of several instances goes on refusing them for 2 s
	 * at least: a proxy may have sent some on connections that were open, and would not send them to another instance.
	 */
	close(graceMs?: number): Promise<void>;
}

/** Options of a service that listens on a port. */
export interface StartServiceOptions extends ServiceOptions {
	/**
	 * Answers requests on the port before the service does, such as those for pages of an app; `undefined` leaves a request to the
	 * service. It checks access itself, and is asked as soon as the service listens.
	 */
	readonly handle?: ((request: Request) => Promise<Response> | undefined) | undefined;
}

/**
 * Listens, then opens the data folder: until that is done, `/readyz` says `starting`.
 *
 * @throws ConfigurationError when something must be changed first; the message says what.
 */
export async function startService(
	configuration: Configuration,
	{ handle, ...options }: StartServiceOptions = {},
): Promise<RunningService> {
	const { redactor = createRedactor(listSecrets(configuration)) } = options;
	const { logger = createLogger(configuration.log.level, redactor) } = options;
	const spans = await startSpanExport({
		service: { name: "stemma-service", version: STEMMA_VERSION },
		environment: options.tracerProvider === undefined ? process.env : {},
		log: (line) => logger.warn(line),
	});
	let service: Service | undefined;
	const server = createNodeServer(
		(request, connection) =>
			handle?.(request) ?? service?.fetch(request, connection) ?? respondWhileStarting(request),
	);
	const { host } = configuration.listen;
	const { port } = await listen(server, { ...configuration.listen, settings: SETTINGS });
	try {
		service = await createService(
			{ ...configuration, listen: { ...configuration.listen, port } },
			{ tracerProvider: spans?.tracerProvider, ...options, logger, redactor },
		);
	} catch (error) {
		await closeServer(server);
		await spans?.stop();
		throw error;
	}
	const { bootstrapCredentials, close } = service;
	return {
		url: toUrl(host, port),
		port,
		bootstrapCredentials,
		async close(graceMs) {
			const refused = wait(configuration.database === undefined ? 0 : MIN_REFUSING_MS);
			const closed = refused.then(() => new Promise<void>((resolve) => server.close(() => resolve())));
			await Promise.all([close(graceMs), refused]);
			server.closeAllConnections();
			await closed;
			await spans?.stop();
		},
	};
}

function closeServer(server: Server): Promise<void> {
	server.closeAllConnections();
	return new Promise((resolve) => server.close(() => resolve()));
}

/** Time that one of several instances goes on answering new requests with 503 when it stops. */
const MIN_REFUSING_MS = 2_000;

const SETTINGS = {
	host: '--host, STEMMA_LISTEN_HOST or "listen.host"',
	port: '--port, STEMMA_LISTEN_PORT or "listen.port"',
};

/**
 * Creates the URL of the service. Where it listens on all addresses, this is the one for calls from the same machine.
 */
function toUrl(host: string, port: number): string {
	const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
	return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
