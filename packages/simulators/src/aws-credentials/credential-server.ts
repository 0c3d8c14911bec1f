import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { startServer } from "../start-server.ts";
import type { Behaviour, DefaultReply } from "./behaviour.ts";
import type { IssuedKeys } from "./issued-keys.ts";
import { Rejection } from "./rejection.ts";

/** A request that came in. */
export interface SimulatedRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
	/** The status that it was refused with. */
	readonly rejection?: number;
}

export interface CredentialServer {
	/** `http://127.0.0.1:<port>` */
	readonly origin: string;
	/** All requests, in the order in which they came in. */
	readonly requests: readonly SimulatedRequest[];
	/** All keys that were given out. */
	readonly issued: readonly IssuedKeys[];
	/** What is done with the next requests that are taken, each once, in order. */
	enqueue(...behaviours: readonly Behaviour[]): void;
	/** Ends at once, with all connections. */
	close(): Promise<void>;
}

/** One service: what it takes, what it answers, and how it says no. */
export interface CredentialService {
	readonly contentType: string;
	/**
	 * @returns the default reply, made when it is sent.
	 * @throws Rejection
	 */
	check(request: SimulatedRequest): (defaultReply: DefaultReply, issued: IssuedKeys[]) => string;
	toError(rejection: Rejection): string;
}

export async function startCredentialServer(
	port: number,
	service: CredentialService,
): Promise<CredentialServer> {
	const requests: SimulatedRequest[] = [];
	const issued: IssuedKeys[] = [];
	const queue: Behaviour[] = [];

	function send(response: ServerResponse, status: number, body: string): void {
		response.writeHead(status, { "content-type": service.contentType });
		response.end(body);
	}

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = "", url: path = "", headers } = request;
		const received = { method, path, headers, text: await text(request) };
		try {
			const toResponse = service.check(received);
			requests.push(received);
			const behaviour = queue.shift() ?? { kind: "default" };
			if (behaviour.kind === "silence") return;
			const { status = 200, body } =
				behaviour.kind === "raw" ? behaviour : { body: toResponse(behaviour, issued) };
			send(response, status, body);
		} catch (error) {
			if (!(error instanceof Rejection)) throw error;
			requests.push({ ...received, rejection: error.status });
			send(response, error.status, service.toError(error));
		}
	}

	const server = await startServer(port, serve);
	return {
		origin: server.origin,
		requests,
		issued,
		enqueue: (...behaviours) => void queue.push(...behaviours),
		close: server.close,
	};
}
