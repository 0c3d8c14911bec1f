import {
	type ChatDecisionRequest,
	type ChatRunRequest,
	createUIMessageEncoder,
	readChatRequest,
	UI_MESSAGE_STREAM_END,
	UI_MESSAGE_STREAM_HEADERS,
	type UIMessageChunk,
} from "@stemma/client/ai-sdk";
import * as z from "zod";
import { DomainError } from "../../errors/domain-error";
import { assertScope, requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { insertRunOnce } from "../../http/idempotency/idempotency";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { decideApprovals } from "../../runs/approvals/decide-approvals";
import { createRunToken } from "../../runs/run-token";
import { findRunnableAgent, startAgentRun } from "../../runs/start-agent-run";
import type { StoredRun } from "../../runs/stored-run";
import { findChatRun, recordChatRun } from "./chat-runs";
import { type ChunkProtocol, respondWithChunks } from "./chunk-responses";
import { getRunById } from "./runs";

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

/** `/v1/agents/:id/ui`: runs as `useChat` of the AI SDK asks for them. */
export function addChatRoutes(app: ServiceApp): void {
	const requireRun = requireCaller({ scopes: ["agents:run"], clientKeys: true });

	app.post("/v1/agents/:id/ui", requireRun, async (context) => {
		const body = await readJson(context, chatBody);
		const request = readChatRequest(body);
		switch (request.type) {
			case "invalid":
				throw new DomainError("invalid_request", `"${request.param}": ${request.message}`, {
					param: request.param,
				});
			case "decisions":
				return respondWithMessage(context, await decide(context, request), request.after);
			case "run":
				return respondWithMessage(context, await startRun(context, request, body));
		}
	});

	app.get("/v1/agents/:id/ui/:chat/stream", requireRun, async (context) => {
		const agent = await findRunnableAgent(toScope(context), context.req.param("id"));
		const run = await findChatRun(context, agent.id, context.req.param("chat"));
		return run === undefined ? context.body(null, 204) : respondWithMessage(context, run);
	});
}

async function startRun(context: ServiceContext, request: ChatRunRequest, body: unknown): Promise<StoredRun> {
	const run = await startAgentRun(
		toScope(context),
		{
			agentIdOrSlug: context.req.param("id") ?? "",
			input: request.input,
			context: request.context,
			background: false,
		},
		insertRunOnce(context, body),
	);
	await recordChatRun(context, run, request.chat_id);
	return run;
}

async function decide(
	context: ServiceContext,
	{ run_id, decisions }: ChatDecisionRequest,
): Promise<StoredRun> {
	assertScope(context.get("caller"), "runs:approve");
	const run = await getRunById(context, run_id);
	await decideApprovals(toScope(context), run.id, decisions);
	return run;
}

/** The answer of a run as one message. A client key gets what it needs to cancel the run. */
function respondWithMessage(context: ServiceContext, run: StoredRun, after = 0): Response {
	const { fingerprint } = context.get("kernel");
	const isClientKey = context.get("caller").kind === "client_key";
	const metadata = isClientKey ? { run_token: createRunToken(run.id, fingerprint) } : undefined;
	return respondWithChunks(context, run, PROTOCOL, createUIMessageEncoder({ after, metadata }));
}
