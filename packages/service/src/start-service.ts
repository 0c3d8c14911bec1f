import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigurationError } from "@stemma/core/errors";
import { MAX_BACKLOG } from "@stemma/protocol";
import { startSpanExport } from "@stemma/telemetry";
import type { Configuration, ListenConfiguration } from "./configuration/configuration";
import { createLogger } from "./configuration/create-logger";
import { listSecrets } from "./configuration/list-secrets";
import { createService, type Service, type ServiceOptions } from "./create-service";
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
	/** Takes no new connections, then closes the service; see {@link Service}. */
	close(graceMs?: number): Promise<void>;
}

/**
 * Listens, then opens the data folder: until that is done, `/readyz` says `starting`.
 *
 * @throws ConfigurationError when something must be changed first; the message says what.
 */
export async function startService(
	configuration: Configuration,
	options: ServiceOptions = {},
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
		(request, connection) => service?.fetch(request, connection) ?? respondWhileStarting(request),
	);
	const { host } = configuration.listen;
	const port = await listen(server, configuration.listen);
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
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			await close(graceMs);
			server.closeAllConnections();
			await closed;
			await spans?.stop();
		},
	};
}

function listen(server: Server, { host, port }: ListenConfiguration): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once("error", (error) => reject(toListenError(error, host, port)));
		server.listen({ host, port, backlog: MAX_BACKLOG }, () =>
			resolve((server.address() as AddressInfo).port),
		);
	});
}

function closeServer(server: Server): Promise<void> {
	server.closeAllConnections();
	return new Promise((resolve) => server.close(() => resolve()));
}

function toListenError(error: NodeJS.ErrnoException, host: string, port: number): ConfigurationError {
	const [problem, hint] = LISTEN_PROBLEMS[error.code ?? ""] ?? [
		`the system says ${error.code}`,
		'Check "listen".',
	];
	return new ConfigurationError(`The service cannot listen on ${host}, port ${port}: ${problem}.`, {
		code: "cannot_listen",
		hint,
		cause: error,
	});
}

const OTHER_PORT =
	'Choose another port: --port, STEMMA_LISTEN_PORT or "listen.port"; 0 takes any that is free.';
const OTHER_HOST =
	'Choose another address: --host, STEMMA_LISTEN_HOST or "listen.host"; 127.0.0.1 is only this machine, 0.0.0.0 all its addresses.';

const LISTEN_PROBLEMS: Readonly<Record<string, readonly [problem: string, hint: string]>> = {
	EADDRINUSE: ["another program uses this port", `Stop that program. ${OTHER_PORT}`],
	EACCES: ["this user may not use this port", `Ports below 1024 need special rights. ${OTHER_PORT}`],
	EADDRNOTAVAIL: ["this machine does not have this address", OTHER_HOST],
	ENOTFOUND: ["this name has no address", OTHER_HOST],
	EAI_AGAIN: ["this name has no address", OTHER_HOST],
};

/**
 * Creates the URL of the service. Where it listens on all addresses, this is the one for calls from the same machine.
 */
function toUrl(host: string, port: number): string {
	const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
	return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
