import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on a port of this machine. */
export interface StartedServer {
	/** `http://127.0.0.1:<port>` */
	readonly origin: string;
	/** How many connections were opened. */
	readonly connections: number;
	/** Ends at once, with all connections. */
	close(): Promise<void>;
}

/** Time after which an idle connection ends: where that was as the next request is sent, it would look like a failure. */
export const KEEP_ALIVE_MS = 600_000;

/**
 * @param port - 0 for any that is free.
 * @param serve - what it throws breaks the connection.
 */
export async function startServer(
	port: number,
	serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<StartedServer> {
	let connections = 0;
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
		serve(request, response).catch((error: unknown) => response.destroy(error as Error));
	});
	server.on("connection", () => {
		connections += 1;
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject).listen(port, "127.0.0.1", resolve);
	});
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		get connections() {
			return connections;
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** Writes down how an answer ended. */
export function watchOutcome(
	response: ServerResponse,
	record: { isAnswered: boolean; isAborted: boolean },
): void {
	response.on("close", () => {
		record.isAnswered = response.writableFinished;
		record.isAborted = !response.writableFinished && !response.errored;
	});
}
