import type { StoredAgent } from "@stemma/client";
import { type AgentGraph, type AgentGraphIssue, formatPath, type Json, type JsonObject } from "@stemma/core";
import { copyJson } from "@stemma/core/internal";
import { createLocalAgent } from "@stemma/local";
import { z } from "zod";
import { agentNotFound } from "../agents/agents";
import { demandAllowedKnowledgeBases } from "../answering/caller-limits";
import { createServicePorts } from "../answering/service-ports";
import { ApiError } from "../http/api-error";
import { type Caller, requireCaller } from "../http/authenticate";
import { wantsStream } from "../http/event-stream";
import { claimRun } from "../http/idempotency";
import { readJson } from "../http/read-json";
import type { ServiceApp, ServiceContext } from "../http/service-app";
import { createCallMeter } from "../models/caller-meter";
import { answerEvents, answerResult } from "../runs/run-answers";
import { type RunRow, toRunRecord } from "../runs/run-rows";
import { createRunToken } from "../runs/run-token";

const runBody = z.strictObject({
	input: z.unknown().refine((input) => input !== undefined, "is missing"),
	context: z.record(z.string(), z.unknown()).optional(),
	background: z.boolean().optional(),
	stream: z.boolean().optional(),
});

type RunBody = z.infer<typeof runBody>;

/** `POST /v1/agents/:id/run`. */
export function addRunAgentRoute(app: ServiceApp): void {
	const toRun = requireCaller({ scopes: ["agents:run"], clientKeys: true });

	app.post("/v1/agents/:id/run", toRun, async (context) => {
		const body = await readJson(context, runBody);
		const row = await startRun(context, body);
		if (wantsStream(context, body)) return answerEvents(context, row, 0);
		if (body.background !== true) return answerResult(context, row);
		const run_token = createRunToken(row.id, context.get("kernel").fingerprint);
		return context.json({ ...toRunRecord(row), run_token }, 202);
	});
}

async function startRun(context: ServiceContext, body: RunBody): Promise<RunRow> {
	demandRunnableJson(body);
	const { agents, runs, knowledge, settings } = context.get("workspace");
	const { models, limits } = context.get("kernel");
	const caller = context.get("caller");
	const agent = await agents.get(context.req.param("id") ?? "");
	demandAllowedAgent(caller, agent);
	demandAllowedKnowledgeBases(caller, listKnowledgeBases(agent.graph));
	const ports = createServicePorts({
		knowledge,
		models,
		settings,
		graph: agent.graph,
		meter: createCallMeter(context, runs.log, { isOwnRun: true }),
	});
	return runs.start(
		{
			agent,
			runnable: createLocalAgent(agent.graph, { ports, limits: limits.run }),
			// JSON by the way it came in.
			input: body.input as Json,
			context: (body.context ?? {}) as JsonObject,
			// What a browser sends may be anyone's words.
			untrustedContext: caller.kind === "client_key",
			background: body.background ?? false,
			startedBy: caller.id,
		},
		(runId, transaction) => claimRun(context, body, runId, transaction),
	);
}

/** What a run would refuse is refused before there is one. */
function demandRunnableJson({ input, context = {} }: RunBody): void {
	const issues: AgentGraphIssue[] = [];
	copyJson({ input, context }, issues);
	const [first] = issues;
	if (first === undefined) return;
	throw new ApiError(400, "invalid_request", `"${formatPath(first.path)}": ${first.message}`, {
		param: formatPath(first.path),
		details: { issues: issues.map(({ path, message }) => ({ path: formatPath(path), message })) },
	});
}

const listKnowledgeBases = ({ nodes }: AgentGraph): string[] =>
	nodes.flatMap((node) => (node.kind === "knowledge" ? node.knowledgeBases : []));

/** An agent that a client key may not run is not there for it. */
function demandAllowedAgent(caller: Caller, { id, slug }: StoredAgent): void {
	if (caller.kind === "client" || caller.agents === null) return;
	if (!caller.agents.includes(id) && !caller.agents.includes(slug)) throw agentNotFound(slug);
}
