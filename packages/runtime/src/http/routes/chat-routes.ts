import {
	type ChatDecisionRequest,
	type ChatRunRequest,
	createUIMessageEncoder,
	readChatRequest,
	UI_MESSAGE_STREAM_END,
	UI_MESSAGE_STREAM_HEADERS,
	type UIMessageChunk,
} from "@stemma/client/ai-sdk";
import { createChatRuns } from "../../runs/chat-runs";
import type { Run } from "../../runs/run";
import type { RunRegistry } from "../../runs/run-registry";
import { invalidField } from "../http-error";
import type { HttpRequest, HttpResponse } from "../http-exchange";
import { assertKnownFields, readJsonBody } from "../request/read-json-body";
import { type ChunkProtocol, respondWithChunks } from "./chunk-response";
import { findAgent } from "./find-agent";
import { createFrontEndRuns } from "./front-end-runs";
import type { RunRoutesOptions } from "./run-routes";

/** Routes of `useChat` of the AI SDK. */
export interface ChatRoutes {
	/** `POST /run/:agentId/ui`: starts a run, or decides on approvals. */
	send(request: HttpRequest, agentId: string): Promise<HttpResponse>;
	/** `GET /run/:agentId/ui/:chat/stream`: the last run of a chat, from its beginning. */
	resume(request: HttpRequest, agentId: string, chatId: string): Promise<HttpResponse>;
}

/** The routes of the AI SDK. The last run of each chat is found as long as it is remembered. */
export function createChatRoutes(options: RunRoutesOptions): ChatRoutes {
	const { catalog, registry } = options;
	const frontEndRuns = createFrontEndRuns(options);
	const chatRuns = createChatRuns();
	registry.onEvict(chatRuns.forget);

	async function start(request: HttpRequest, agentId: string, chat: ChatRunRequest): Promise<HttpResponse> {
		const run = await frontEndRuns.start(request, agentId, chat);
		chatRuns.set(run.subject.agentId, chat.chat_id, run);
		return streamMessage(run, registry.active);
	}

	async function decide(chat: ChatDecisionRequest): Promise<HttpResponse> {
		const run = await frontEndRuns.decide(chat);
		return streamMessage(run, registry.active, chat.after);
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

const PROTOCOL: ChunkProtocol<UIMessageChunk> = {
	headers: UI_MESSAGE_STREAM_HEADERS,
	end: UI_MESSAGE_STREAM_END,
	toErrorChunk: (errorText) => ({ type: "error", errorText }),
};

const NO_STREAM: HttpResponse = { status: 204, headers: {}, body: null };

/** The answer of a run as one message. @param after - sequence number of the pause that the page has seen. */
const streamMessage = (run: Run, active: RunRegistry["active"], after = 0): HttpResponse =>
	respondWithChunks({ run, active, after }, PROTOCOL, createUIMessageEncoder({ after }));
