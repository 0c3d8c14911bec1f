import {
	createUIMessageEncoder,
	readChatRequest,
	UI_MESSAGE_STREAM_END,
	UI_MESSAGE_STREAM_HEADERS,
	type UIMessageChunk,
} from "@stemma/client/ai-sdk";
import * as z from "zod";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { createRunToken } from "../../runs/run-token";
import { findRunnableAgent } from "../../runs/start-agent-run";
import type { StoredRun } from "../../runs/stored-run";
import { findChatRun, recordChatRun } from "./chat-runs";
import { type ChunkProtocol, respondWithChunks } from "./chunk-responses";
import { decideForFrontEnd, invalidRequest, startForFrontEnd } from "./front-end-runs";

/** Body of a request; its messages are checked by {@link readChatRequest}. */
const chatBody = z.strictObject({
	id: z.string(),
	messages: z.array(z.unknown()),
	trigger: z.string().optional(),
	messageId: z.string().optional(),
	context: z.record(z.string(), z.unknown()).optional(),
});

const PROTOCOL: ChunkProtocol<UIMessageChunk> = {
	headers: UI_MESSAGE_STREAM_HEADERS,
	end: UI_MESSAGE_STREAM_END,
	toErrorChunk: (errorText) => ({ type: "error", errorText }),
};

const described = {
	run: describeRoute({
		summary: "Run an agent as the AI SDK asks for it",
		body: chatBody,
		responses: { 200: { "text/event-stream": "External" } },
		errors: [
			"agent_not_found",
			"agent_not_runnable",
			"agent_invalid",
			"too_many_runs",
			"idempotency_conflict",
			"quota_exceeded",
			"knowledge_base_not_found",
			"run_not_found",
			"approval_not_found",
			"approval_decided",
			"approval_expired",
			"run_ended",
		],
		callsModels: true,
	}),
	rejoin: describeRoute({
		summary: "Rejoin the run of a chat",
		responses: { 200: { "text/event-stream": "External" }, 204: {} },
		errors: ["agent_not_found", "run_not_found"],
	}),
};

/** `/v1/agents/:id/ui`: runs as `useChat` of the AI SDK asks for them. */
export function addChatRoutes(app: ServiceApp): void {
	const requireRun = requireCaller({ scopes: ["agents:run"], clientKeys: true });

	app.post("/v1/agents/:id/ui", described.run, requireRun, async (context) => {
		const body = await readJson(context, chatBody);
		const request = readChatRequest(body);
		if (request.type === "invalid") throw invalidRequest(request);
		if (request.type === "decisions")
			return respondWithMessage(context, await decideForFrontEnd(context, request), request.after);
		const run = await startForFrontEnd(context, request, body);
		await recordChatRun(context, run, request.chat_id);
		return respondWithMessage(context, run);
	});

	app.get("/v1/agents/:id/ui/:chat/stream", described.rejoin, requireRun, async (context) => {
		const agent = await findRunnableAgent(toScope(context), context.req.param("id"));
		const run = await findChatRun(context, agent.id, context.req.param("chat"));
		return run === undefined ? context.body(null, 204) : respondWithMessage(context, run);
	});
}

/** The answer of a run as one message. A client key gets what it needs to cancel the run. */
function respondWithMessage(context: ServiceContext, run: StoredRun, after = 0): Response {
	const { fingerprint } = context.get("kernel");
	const isClientKey = context.get("caller").kind === "client_key";
	const metadata = isClientKey ? { run_token: createRunToken(run.id, fingerprint) } : undefined;
	return respondWithChunks(context, run, PROTOCOL, createUIMessageEncoder({ after, metadata }));
}
