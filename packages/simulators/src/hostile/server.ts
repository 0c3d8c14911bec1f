import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Behaviour } from "./behaviour.ts";
import { misbehave } from "./misbehave.ts";
import type { ReceivedRequest } from "./received-request.ts";
import { isResetByServer } from "./reset-connection.ts";
import { respondNormally, sendError } from "./respond-normally.ts";
import { findRoute, type RouteName } from "./route.ts";
import { createRunLog, type HostileRun } from "./run-log.ts";
import { sendRunEvents } from "./send-run-events.ts";

/** Options of the hostile service. */
export interface HostileServerOptions {
	/** Default 0: any free one. */
	readonly port?: number;
	/** What each run says, a delta for each. Default four. */
	readonly words?: readonly string[];
}

export interface HostileServer {
	/** `http://127.0.0.1:<port>`: of a service, and of a runtime. */
	readonly baseUrl: string;
	/** All requests, in the order in which they came in. */
	readonly requests: readonly ReceivedRequest[];
	/** All runs that were started: one for each idempotency key. */
	readonly runs: readonly HostileRun[];
	/** Connections that are open. */
	readonly openConnections: number;
	/** Answers that are neither sent to their end nor broken off. */
	readonly openResponses: number;
	/** What is done with the next requests of a route, each once, in order; then what is always done. */
	enqueue(route: RouteName, ...behaviours: readonly Behaviour[]): void;
	/** What is done with the requests of a route from now on. At first: what a good service does. */
	setDefault(route: RouteName, behaviour: Behaviour): void;
	/** Refuses all credentials that came until now: with 401, until others come. */
	revokeCredentials(): void;
	/** Ends with all connections, and comes back on the same port. */
	restart(options?: { readonly downMs?: number; readonly losesRuns?: boolean }): Promise<void>;
	/** Ends at once, with all connections. */
	close(): Promise<void>;
}

const FOUR_WORDS = ["It ", "takes ", "five ", "days."];
const NORMAL: Behaviour = { kind: "normal" };

/** A service and a runtime that do wrong whatever they are told to, and all else right. */
export async function startHostileServer(options: HostileServerOptions = {}): Promise<HostileServer> {
	const { words = FOUR_WORDS } = options;
	const requests: Mutable<ReceivedRequest>[] = [];
	const queues = new Map<RouteName, Behaviour[]>();
	const defaults = new Map<RouteName, Behaviour>();
	const revoked = new Set<string>();
	const sockets = new Set<Socket>();
	const log = createRunLog(words);
	let openResponses = 0;

	async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = "", url = "/", headers } = incoming;
		const { pathname, searchParams: query } = new URL(url, "http://hostile");
		const found = findRoute(method, pathname);
		const request = {
			...{ route: found?.name, method, path: pathname, query, headers, text: await text(incoming) },
			...{ at: Date.now(), isAnswered: false, isAborted: false },
		};
		requests.push(request);
		trackOutcome(response, request);
		const behaviour = found === undefined ? NORMAL : nextBehaviour(found.name);
		const { authorization = "" } = headers;
		if (behaviour === NORMAL && found?.name !== "token" && revoked.has(authorization))
			return sendError(response, 401, "token_invalid");
		await respond(response, request, behaviour, found?.runId ?? "");
	}

	function trackOutcome(response: ServerResponse, request: Mutable<ReceivedRequest>): void {
		openResponses += 1;
		response.on("close", () => {
			openResponses -= 1;
			request.isAnswered = response.writableFinished;
			request.isAborted = !response.writableFinished && !isResetByServer(response);
		});
	}

	const nextBehaviour = (route: RouteName): Behaviour =>
		queues.get(route)?.shift() ?? defaults.get(route) ?? NORMAL;

	async function respond(
		response: ServerResponse,
		request: ReceivedRequest,
		behaviour: Behaviour,
		runId: string,
	): Promise<void> {
		if (behaviour.kind !== "normal" && behaviour.kind !== "events")
			return misbehave(response, behaviour, request.headers);
		const run = findRun(request, runId);
		if (runId !== "" && run === undefined) return sendError(response, 404, "run_not_found");
		if (behaviour.kind === "events") return sendRunEvents(response, request, run, behaviour);
		if (behaviour.delayMs !== undefined) await sleep(behaviour.delayMs);
		if (request.route === "cancel" && run !== undefined) log.cancel(run);
		await respondNormally(response, request, run);
	}

	function findRun({ route, path, headers }: ReceivedRequest, runId: string): HostileRun | undefined {
		if (route === "run") return log.start(String(headers["idempotency-key"]), path);
		const run = log.find(runId);
		const needsToken = path.startsWith("/v1") && headers["stemma-run-token"] !== run?.token;
		return needsToken ? undefined : run;
	}

	function listen(port: number): Promise<Server> {
		const server = createServer((request, response) => {
			serve(request, response).catch((error: unknown) => response.destroy(error as Error));
		});
		server.on("connection", (socket: Socket) => {
			sockets.add(socket);
			socket.setNoDelay(true).on("close", () => sockets.delete(socket));
		});
		return new Promise((resolve, reject) => {
			server.once("error", reject).listen(port, "127.0.0.1", () => resolve(server));
		});
	}

	const stop = (server: Server): Promise<void> =>
		new Promise((resolve) => {
			server.close(() => resolve());
			for (const socket of sockets) socket.destroy();
		});

	let server = await listen(options.port ?? 0);
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		requests,
		runs: log.runs,
		get openConnections() {
			return sockets.size;
		},
		get openResponses() {
			return openResponses;
		},
		enqueue: (route, ...behaviours) => void queues.set(route, [...(queues.get(route) ?? []), ...behaviours]),
		setDefault: (route, behaviour) => void defaults.set(route, behaviour),
		revokeCredentials() {
			for (const { headers } of requests) if (headers.authorization) revoked.add(headers.authorization);
		},
		async restart({ downMs = 0, losesRuns = false } = {}) {
			await stop(server);
			if (losesRuns) log.clear();
			await sleep(downMs);
			server = await listen(port);
		},
		close: () => stop(server),
	};
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
