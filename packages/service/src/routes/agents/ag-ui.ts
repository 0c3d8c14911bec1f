import {
	AG_UI_HEADERS,
	type AgUiEvent,
	type AgUiResumeRequest,
	createAgUiEncoder,
	readAgUiRequest,
} from "@stemma/client/ag-ui";
import * as z from "zod";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp } from "../../http/service-context";
import { createRunToken } from "../../runs/run-token";
import { type ChunkProtocol, respondWithChunks } from "./chunk-responses";
import { decideForFrontEnd, invalidRequest, startForFrontEnd } from "./front-end-runs";

/** `RunAgentInput`; its fields are checked by {@link readAgUiRequest}. */
const agUiBody = z.strictObject({
	threadId: z.string(),
	runId: z.string(),
	protocolVersion: z.string().nullish(),
	parentRunId: z.string().nullish(),
	state: z.unknown().optional(),
	messages: z.array(z.unknown()),
	tools: z.array(z.unknown()).nullish(),
	context: z.array(z.unknown()).nullish(),
	forwardedProps: z.unknown().optional(),
	resume: z.array(z.unknown()).nullish(),
});

const PROTOCOL: ChunkProtocol<AgUiEvent> = {
	headers: AG_UI_HEADERS,
	end: "",
	toErrorChunk: (message) => ({ type: "RUN_ERROR", code: "shutting_down", message }),
};

const description = describeRoute({
	summary: "Run an agent as AG-UI asks for it",
	body: agUiBody,
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
});

/** `POST /v1/agents/:id/ag-ui`: runs as clients of AG-UI ask for them. */
export function addAgUiRoute(app: ServiceApp): void {
	const requireRun = requireCaller({ scopes: ["agents:run"], clientKeys: true });

	app.post("/v1/agents/:id/ag-ui", description, requireRun, async (context) => {
		const body = await readJson(context, agUiBody);
		const request = readAgUiRequest(body);
		if (request.type === "invalid") throw invalidRequest(request);
		const run =
			request.type === "run"
				? await startForFrontEnd(context, request, body)
				: await decideForFrontEnd(context, request satisfies AgUiResumeRequest);
		const isClientKey = context.get("caller").kind === "client_key";
		const runToken = isClientKey ? createRunToken(run.id, context.get("kernel").fingerprint) : undefined;
		return respondWithChunks(context, run, PROTOCOL, createAgUiEncoder({ ...request.options, runToken }));
	});
}
