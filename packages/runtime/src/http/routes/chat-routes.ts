import {
	type ChatDecisionRequest,
	type ChatRunRequest,
	createUIMessageEncoder,
	formatChunk,
	readChatRequest,
	UI_MESSAGE_STREAM_END,
	UI_MESSAGE_STREAM_HEADERS,
} from "@stemma/client/ai-sdk";
import type { Json } from "@stemma/core";
import { readDepth } from "@stemma/protocol";
import { parseEvent } from "@stemma/runs";
import { readTraceHeaders } from "@stemma/telemetry";
import { createChatRuns } from "../../runs/chat-runs";
import type { Run } from "../../runs/run";
import type { RunRegistry } from "../../runs/run-registry";
import { invalidField } from "../http-error";
import type { EventFormat, HttpRequest, HttpResponse } from "../http-exchange";
import { assertKnownFields, readJsonBody } from "../request/read-json-body";
import { assertConversation } from "../request/run-request";
import { decideApprovals } from "./decide-approvals";
import { findAgent } from "./find-agent";
import { getEvents, getRun, type RunRoutesOptions } from "./run-routes";

/** Routes of `useChat` of the AI SDK. */
export interface ChatRoutes {
	/** `POST /run/:agentId/ui`: starts a run, or decides on approvals. */
	send(request: HttpRequest, agentId: string): Promise<HttpResponse>;
	/** `GET /run/:agentId/ui/:chat/stream`: the last run of a chat, from its beginning. */
	resume(request: HttpRequest, agentId: string, chatId: string): Promise<HttpResponse>;
}

/** The routes of the AI SDK. The last run of each chat is found as long as it is remembered. */
export function createChatRoutes({ catalog, registry, startRun }: RunRoutesOptions): ChatRoutes {
	const chatRuns = createChatRuns();
	registry.onEvict(chatRuns.forget);

	async function start(request: HttpRequest, agentId: string, chat: ChatRunRequest): Promise<HttpResponse> {
		const { chat_id, context } = chat;
		// Parsed from JSON, so it is.
		const input = chat.input as Json;
		assertConversation(input);
		const entry = findAgent(catalog(), agentId);
		const depth = readDepth(request.header("stemma-depth"));
		const trace = readTraceHeaders((name) => request.header(name));
		const run = await startRun(entry, { input, ...(context && { context }) }, depth, trace);
		chatRuns.set(entry.id, chat_id, run);
		return streamMessage(run, registry.active);
	}

	async function decide({ run_id, after, decisions }: ChatDecisionRequest): Promise<HttpResponse> {
		const run = getRun(registry, run_id);
		await decideApprovals(registry, run, decisions);
		return streamMessage(run, registry.active, after);
	}

	return {
		async send(request, agentId) {
			const body = await readJsonBody(request);
			assertKnownFields(body, ["id", "messages", "trigger", "messageId", "context"]);
			const chat = readChatRequest(body);
			if (chat.type === "invalid") throw invalidField(chat.param, chat.message);
			return chat.type === "run" ? start(request, agentId, chat) : decide(chat);
		},
		async resume(_request, agentId, chatId) {
			const run = chatRuns.find(findAgent(catalog(), agentId).id, chatId);
			return run === undefined ? NO_STREAM : streamMessage(run, registry.active);
		},
	};
}

const NO_STREAM: HttpResponse = { status: 204, headers: {}, body: null };

/**
 * The answer of a run as one message.
 *
 * @param after - sequence number of the pause that the page has seen.
 * @throws HttpError 410 `events_expired`.
 */
function streamMessage(run: Run, active: RunRegistry["active"], after = 0): HttpResponse {
	getEvents(run, 0);
	const encode = createUIMessageEncoder({ after });
	const format: EventFormat = {
		formatEvent: (record) => encode(parseEvent(record)).map(formatChunk).join(""),
		interruption: formatChunk({ type: "error", errorText: "The stream was interrupted." }),
		end: UI_MESSAGE_STREAM_END,
		resumedFrom: after,
	};
	return { status: 200, headers: UI_MESSAGE_STREAM_HEADERS, body: { run, active, after: 0, format } };
}
