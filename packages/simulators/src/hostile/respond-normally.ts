import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { ReceivedRequest } from "./received-request.ts";
import type { RouteName } from "./route.ts";
import { type HostileRun, resultOf } from "./run-log.ts";
import { toEventText, writeEvents } from "./write-events.ts";

const USAGE = { input_tokens: 3, output_tokens: 2, model_calls: 1, steps: 2 };
const ASK_RESPONSE = { body: "It takes five days.", citations: [], passages: [], receipt: [], usage: USAGE };
const CHUNK = { id: "chat_1", object: "chat.completion.chunk", created: 1, model: "default" };

/** What a good service answers where no run is meant. */
const RESPONSES: Readonly<Partial<Record<RouteName, object>>> = {
	ask: ASK_RESPONSE,
	search: { passages: [], receipt: [] },
	chat: {
		id: "chat_1",
		object: "chat.completion",
		created: 1,
		model: "default",
		choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hello." } }],
	},
	agents: { data: [], has_more: false, next: null },
	health: { status: "ok", version: "1.0.0", agents: { ready: 1, invalid: 0 } },
};

const STREAMS: Readonly<Partial<Record<RouteName, string>>> = {
	ask: [
		{ type: "text.delta", seq: 1, text: ASK_RESPONSE.body },
		{ type: "ask.completed", seq: 2, body: ASK_RESPONSE },
	]
		.map(toEventText)
		.join(""),
	chat: [{ ...CHUNK, choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: "stop" }] }, "[DONE]"]
		.map(toEventText)
		.join(""),
};

export const wantsEvents = ({ headers }: ReceivedRequest): boolean => headers.accept === "text/event-stream";

/** Answers as the service does. */
export async function respondNormally(
	response: ServerResponse,
	request: ReceivedRequest,
	run: HostileRun | undefined,
): Promise<void> {
	const { route } = request;
	if (route === "token") return sendJson(response, 200, createToken());
	if (run !== undefined) return respondForRun(response, request, run);
	const stream = route === undefined ? undefined : STREAMS[route];
	if (stream !== undefined && wantsEvents(request)) return writeEvents(response, stream, {});
	const body = route === undefined ? undefined : RESPONSES[route];
	if (body === undefined) sendError(response, 404, "not_found");
	else sendJson(response, 200, body);
}

const createToken = () => ({
	access_token: `at_hostile_secret_${randomUUID()}`,
	token_type: "bearer",
	expires_in: 900,
});

function respondForRun(
	response: ServerResponse,
	request: ReceivedRequest,
	run: HostileRun,
): void | Promise<void> {
	if (request.route === "cancel") return sendJson(response, 200, { id: run.id, status: "cancelled" });
	if (request.route === "record") return sendJson(response, 200, { id: run.id, result: resultOf(run) });
	if (wantsEvents(request)) {
		const missing = run.events.slice(knownSeq(request));
		run.sentSeq = run.events.length;
		return writeEvents(response, missing.map(toEventText).join(""), {});
	}
	if (request.route === "run") {
		const isBackground = JSON.parse(request.text || "{}").background === true;
		const started = { id: run.id, status: "running", last_seq: 0, run_token: run.token };
		if (isBackground) return sendJson(response, 202, started);
		return sendJson(response, 200, { ...resultOf(run), run_token: run.token });
	}
	sendJson(response, 200, { data: run.events.slice(knownSeq(request)), done: true });
}

/** The last event that whoever asks has. */
export const knownSeq = ({ headers, query }: ReceivedRequest): number =>
	Number(headers["last-event-id"] ?? query.get("after") ?? 0);

function sendJson(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { "content-type": "application/json", "x-request-id": "req_honest" });
	response.end(JSON.stringify(body));
}

export const sendError = (response: ServerResponse, status: number, code: string): void =>
	sendJson(response, status, { error: { code, message: "It is not to be.", request_id: "req_honest" } });
