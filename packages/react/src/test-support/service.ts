import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer, AskEvent, RunResult, WireRunEvent } from "@stemma/client";
import { ServedThreads, type ThreadBody } from "./threads";

/** A run of the service; a test says what happens in it. */
export interface ServedRun {
	readonly id: string;
	readonly token: string;
	readonly agent: string;
	readonly input: unknown;
	readonly events: readonly WireRunEvent[];
	/** Connections that read it now. */
	readonly readers: number;
	/** Connections that have read it, each by the `seq` after which it began. */
	readonly readFrom: readonly number[];
	readonly isCancelled: boolean;
	sendText(...words: readonly string[]): void;
	emit(type: string, fields?: object): void;
	end(status: RunResult["status"], fields?: Partial<RunResult>): void;
}

/** A question that was asked; a test answers it. */
export interface ServedQuestion {
	readonly question: string;
	readonly isOpen: boolean;
	emit(
		event: AskEvent extends infer Event ? (Event extends unknown ? Omit<Event, "seq"> : never) : never,
	): void;
}

/** Speaks as the service does, over HTTP; runs and answers go as tests say. */
export interface TestService {
	readonly url: string;
	readonly runs: readonly ServedRun[];
	readonly questions: readonly ServedQuestion[];
	readonly requests: readonly string[];
	readonly threads: ServedThreads;
	/** Feedback on runs, as it was sent. */
	readonly feedback: readonly unknown[];
	/** Started runs do not begin yet: nobody knows their ids. */
	holdsRuns: boolean;
	/** Refuses whatever comes. */
	refusal: { readonly code: string; readonly message: string; readonly hint: string } | undefined;
	release(): void;
	/** Breaks all connections, and each new one, until it is called with `false`. */
	setOffline(isOffline: boolean): void;
	close(): Promise<void>;
}

export async function startService(): Promise<TestService> {
	const runs: (ServedRun & { serve(response: ServerResponse, after: number): void; begin(): void })[] = [];
	const questions: ServedQuestion[] = [];
	const requests: string[] = [];
	const threads = new ServedThreads();
	const feedback: unknown[] = [];

	function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
		const { method, url = "", headers } = request;
		requests.push(`${method} ${url}`);
		if (service.refusal !== undefined) return sendJson(response, 403, { error: service.refusal });
		const [, , resource, id = "", action] = url.split("/");
		if (url === "/v1/ask") return void questions.push(serveQuestion(response, JSON.parse(body).question));
		if (resource === "threads") {
			const { status, json } = threads.respond(`${method}`, id, headers["stemma-thread-token"]);
			return sendJson(response, status, json);
		}
		if (action === "run") {
			const fields: ThreadBody & { readonly input: unknown } = JSON.parse(body);
			const run = createRun(runs.length + 1, id, fields.input, () => threads.add(fields, run));
			runs.push(run);
			run.serve(response, 0);
			if (!service.holdsRuns) run.begin();
			return;
		}
		const run = runs.find((each) => each.id === id);
		const isAllowed = action === "approvals" || headers["stemma-run-token"] === run?.token;
		if (run === undefined || !isAllowed)
			return sendJson(response, 404, {
				error: { code: "run_not_found", message: "There is no such run.", hint: "Look at its id." },
			});
		if (action === "approvals") {
			run.emit("run.resumed");
			return sendJson(response, 200, { id });
		}
		if (action === "feedback") {
			feedback.push({ run: run.id, ...JSON.parse(body) });
			return sendJson(response, 200, {});
		}
		if (action === "events") return run.serve(response, Number(headers["last-event-id"] ?? 0));
		if (!run.isCancelled) run.end("cancelled");
		sendJson(response, 200, { id, status: "cancelled" });
	}

	let isOffline = false;
	const server = createServer(async (request, response) => {
		if (isOffline) return void response.destroy();
		let body = "";
		for await (const chunk of request) body += chunk;
		answer(request, response, body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const service: TestService = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		runs,
		questions,
		requests,
		threads,
		feedback,
		holdsRuns: false,
		refusal: undefined,
		release() {
			service.holdsRuns = false;
			for (const run of runs) run.begin();
		},
		setOffline(next) {
			isOffline = next;
			if (isOffline) server.closeAllConnections();
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
	return service;
}

const AT = "2026-01-01T00:00:00.000Z";

/** @param toReference - stores the message that the run answers, where it is one of a thread. */
function createRun(number: number, agent: string, input: unknown, toReference: () => object) {
	const id = `run_${number}`;
	const token = `rt_${number}`;
	const events: WireRunEvent[] = [];
	const readFrom: number[] = [];
	const readers = new Set<ServerResponse>();
	let text = "";

	function emit(type: string, fields: object = {}): void {
		const event = { type, run_id: id, seq: events.length + 1, at: AT, ...fields } as WireRunEvent;
		events.push(event);
		for (const reader of readers) reader.write(toSse(event));
	}

	return {
		id,
		token,
		agent,
		input,
		events,
		readFrom,
		get readers() {
			return readers.size;
		},
		get isCancelled() {
			return events.some(({ type }) => type === "run.cancelled");
		},
		emit,
		begin() {
			if (events.length === 0) emit("run.started", { run_token: token, ...toReference() });
		},
		sendText(...words: readonly string[]) {
			text += words.join("");
			for (const word of words) emit("text.delta", { node: "desk", invocation: 1, text: word, final: true });
		},
		end(status: RunResult["status"], fields: Partial<RunResult> = {}) {
			const result = {
				...RESULT,
				run_id: id,
				status,
				output: status === "completed" ? text : null,
				...fields,
			};
			emit(`run.${status}`, { result, ...(fields.error === undefined ? {} : { error: fields.error }) });
			for (const reader of readers) reader.end();
		},
		serve(response: ServerResponse, after: number) {
			readFrom.push(after);
			openStream(response, events.slice(after));
			if (TERMINAL_TYPES.includes(events.at(-1)?.type ?? "")) return void response.end();
			readers.add(response);
			response.on("close", () => readers.delete(response));
		},
	};
}

const TERMINAL_TYPES = ["run.completed", "run.failed", "run.cancelled", "run.paused"];

const RESULT = {
	citations: [],
	usage: { input_tokens: 3, output_tokens: 2, model_calls: 1, steps: 2 },
	receipt: [],
};

function serveQuestion(response: ServerResponse, question: string): ServedQuestion {
	let seq = 0;
	openStream(response, []);
	return {
		question,
		get isOpen() {
			return !response.destroyed;
		},
		emit(event) {
			seq += 1;
			response.write(toSse({ ...event, seq }));
			if (event.type === "ask.completed" || event.type === "ask.failed") response.end();
		},
	};
}

export const createAnswer = (answer: string, fields: Partial<Answer> = {}): Answer => ({
	answer,
	passages: [],
	...RESULT,
	...fields,
});

const toSse = (event: { readonly type: string; readonly seq: number }): string =>
	`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function openStream(response: ServerResponse, events: readonly WireRunEvent[]): void {
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.write(`: hello\n\n${events.map(toSse).join("")}`);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
