import * as z from "zod";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { wantsStream } from "../../http/event-stream";
import { insertRunOnce } from "../../http/idempotency/idempotency";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { createRunToken } from "../../runs/run-token";
import { startAgentRun } from "../../runs/start-agent-run";
import { type StoredRun, toRunRecord } from "../../runs/stored-run";
import { assertMessageField, readTurnRequest, turnFields } from "../threads/thread-fields";
import { findThreadReference, respondWithEvents, respondWithResult } from "./run-responses";

const runBody = z.strictObject({
	input: z.unknown().optional(),
	context: z.record(z.string(), z.unknown()).optional(),
	background: z.boolean().optional(),
	stream: z.boolean().optional(),
	...turnFields,
});

type RunBody = z.infer<typeof runBody>;

const description = describeRoute({
	summary: "Run an agent",
	body: runBody,
	isIdempotent: true,
	responses: {
		200: { "application/json": "EndedRun", "text/event-stream": "WireRunEvent" },
		202: "StartedRun",
	},
	errors: [
		"agent_not_found",
		"agent_not_runnable",
		"agent_invalid",
		"too_many_runs",
		"idempotency_conflict",
		"quota_exceeded",
		"knowledge_base_not_found",
		"thread_not_found",
		"message_not_found",
		"thread_active",
		"thread_full",
		"thread_queue_full",
	],
	callsModels: true,
	example: { input: "How long does a refund take?" },
});

/** `POST /v1/agents/:id/run`. */
export function addRunAgentRoute(app: ServiceApp): void {
	const requireRun = requireCaller({ scopes: ["agents:run"], clientKeys: true });

	app.post("/v1/agents/:id/run", description, requireRun, async (context) => {
		const body = await readJson(context, runBody);
		const run = await startRun(context, body);
		if (wantsStream(context, body)) return respondWithEvents(context, run, 0);
		if (body.background !== true) return respondWithResult(context, run);
		const run_token = createRunToken(run.id, context.get("kernel").fingerprint);
		return context.json(
			{ ...toRunRecord(run), ...(await findThreadReference(context, run)), run_token },
			202,
		);
	});
}

function startRun(context: ServiceContext, body: RunBody): Promise<StoredRun> {
	const turn = readTurnRequest(context, body);
	assertMessageField("input", body.input, turn);
	return startAgentRun(
		toScope(context),
		{
			agentIdOrSlug: context.req.param("id") ?? "",
			input: body.input,
			turn,
			context: body.context,
			background: body.background ?? false,
		},
		insertRunOnce(context, body),
	);
}
