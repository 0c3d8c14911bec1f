import type { RunResult } from "@stemma/core";
import type { WireRunEvent } from "../types/run";
import {
	type ReceivedRequest,
	type RequestHandler,
	sendError,
	sendEvents,
	sendJson,
	type TestServer,
	toSse,
} from "./test-server";

export const resultOf = (status: RunResult["status"], output: string | null): RunResult => ({
	run_id: "run_1",
	status,
	output,
	citations: [],
	usage: { input_tokens: 3, output_tokens: 2, model_calls: 1, steps: 2 },
	receipt: [],
	...(status === "failed" ? { error: { code: "model_failed", message: "It broke.", hint: "Mend it." } } : {}),
});

const base = (seq: number) => ({ run_id: "run_1", seq, at: "2026-01-01T00:00:00.000Z" });

/** The events of a run that says some words. */
export function eventsOf(
	words: readonly string[],
	status: RunResult["status"] = "completed",
): WireRunEvent[] {
	const result = resultOf(status, words.join(""));
	const { error } = result;
	return [
		{ type: "run.started", ...base(1), run_token: "rt_secret_token" },
		...words.map(
			(text, index): WireRunEvent => ({
				type: "text.delta",
				...base(index + 2),
				node: "desk",
				invocation: 1,
				text,
				final: true,
			}),
		),
		{ type: `run.${status}`, ...base(words.length + 2), result, ...(error === undefined ? {} : { error }) },
	] as WireRunEvent[];
}

/** Serves one run as the service does: from its log, to whoever comes and with what they have missed. */
export interface FakeRun {
	readonly events: readonly WireRunEvent[];
	/** How often it was started anew, by idempotency key. */
	readonly keys: ReadonlySet<string>;
	isCancelled: boolean;
}

export interface FakeRunOptions {
	readonly words?: readonly string[];
	readonly status?: RunResult["status"];
	/** Does with a connection what it likes; `from` is where its events begin. Default: sends all, and ends. */
	readonly serve?: (
		connection: { readonly from: number; readonly events: readonly WireRunEvent[]; readonly number: number },
		response: Parameters<RequestHandler>[1],
	) => void | Promise<void>;
	readonly prefix?: "/v1" | "";
}

export function serveRun(server: TestServer, options: FakeRunOptions = {}): FakeRun {
	const {
		words = ["It ", "takes ", "five ", "days."],
		status = "completed",
		prefix = "/v1",
		serve,
	} = options;
	const events = eventsOf(words, status);
	const keys = new Set<string>();
	const run: FakeRun = { events, keys, isCancelled: false };
	let connections = 0;

	async function send(request: ReceivedRequest, response: Parameters<RequestHandler>[1]): Promise<void> {
		const from = Number(request.headers["last-event-id"] ?? 0);
		connections += 1;
		if (serve !== undefined) return serve({ from, events, number: connections }, response);
		sendEvents(response, events.slice(from));
		response.end();
	}

	server.on(prefix === "" ? "POST /run/:id" : "POST /v1/agents/:id/run", (request, response) => {
		keys.add(String(request.headers["idempotency-key"]));
		if (request.headers.accept === "text/event-stream") return send(request, response);
		const { background } = request.json<{ background?: boolean }>();
		const started = { id: "run_1", status: "running", last_seq: 0, run_token: "rt_secret_token" };
		if (background === true) return sendJson(response, started, 202);
		sendJson(response, { ...resultOf(status, words.join("")), run_token: "rt_secret_token" });
	});
	server.on(`GET ${prefix}/runs/:id/events`, (request, response) => {
		if (prefix !== "" && request.headers["stemma-run-token"] !== "rt_secret_token")
			return sendError(response, 404, { code: "run_not_found" });
		if (request.headers.accept === "text/event-stream") return send(request, response);
		const after = Number(request.query.get("after"));
		const data = events.slice(after, after + 2);
		sendJson(response, { data, done: after + 2 >= events.length });
	});
	server.on(`POST ${prefix}/runs/:id/cancel`, (_, response) => {
		run.isCancelled = true;
		sendJson(response, { id: "run_1", status: "cancelled" });
	});
	return run;
}

/** Writes events, the last of them not whole, and cuts the connection. */
export function truncateMidEvent(
	response: Parameters<RequestHandler>[1],
	events: readonly WireRunEvent[],
): void {
	const last = events.at(-1);
	sendEvents(response, events.slice(0, -1));
	if (last !== undefined) response.write(toSse(last).slice(0, -10));
	setTimeout(() => response.socket?.destroy(), 20);
}
