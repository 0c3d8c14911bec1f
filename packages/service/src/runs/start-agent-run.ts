import type { StoredAgent } from "@stemma/client";
import {
	type AgentGraph,
	type AgentGraphIssue,
	formatPath,
	type Json,
	type JsonObject,
	type TraceContext,
} from "@stemma/core";
import { copyJson, readRunInput } from "@stemma/core/internal";
import { createLocalAgent, type LocalAgent } from "@stemma/local";
import { assertDepth } from "@stemma/protocol";
import { assertVisibleAgent } from "../access/assert-visible";
import { createAgentPorts } from "../agent-ports/agent-ports";
import { createNestedAgentPort } from "../agent-ports/nested-agents";
import { agentNotFound } from "../agents/agents";
import { resolveKnowledgeBases } from "../answering/retrieval/knowledge-base-selection";
import { createServicePorts } from "../answering/service-ports";
import type { Caller } from "../auth/caller";
import { DomainError } from "../errors/domain-error";
import { createCallMeter } from "../models/metering/caller-meter";
import type { RequestScope } from "../request-scope";
import { createOutputValidator } from "../schema-check/validate-output";
import { requireSpace } from "../storage/require-space";
import { type PreparedTurn, prepareTurn, type TurnRequest } from "../threads/prepare-turn";
import { readMessageText, toRunThread } from "../threads/run-thread";
import type { ResumeContext } from "./resuming/resume-context";
import type { RunContext } from "./run-context";
import type { InsertRun } from "./run-requests";
import type { StoredRun } from "./stored-run";

/** Request to run a stored agent. */
export interface AgentRunRequest {
	readonly agentIdOrSlug: string;
	/** JSON by the way it came in. Not used where an answer of a thread is written again. */
	readonly input: unknown;
	/** Place of the input and its answer in a thread. Default none. */
	readonly turn?: TurnRequest | undefined;
	/** Context, as JSON in the form in which it was received. */
	readonly context?: { readonly [key: string]: unknown } | undefined;
	/** The context is data, whoever the caller is. Default false. */
	readonly untrustedContext?: boolean | undefined;
	/** Goes on though nobody watches. */
	readonly background: boolean;
}

/**
 * Starts a run of a stored agent for the caller of a request, with all that limits that caller.
 *
 * @param insert - stores the run with what it is started for.
 * @throws DomainError for an input that no run takes, an agent or a knowledge base that is not there for the caller, and
 * where no more runs may be under way.
 */
export async function startAgentRun(
	scope: RequestScope,
	request: AgentRunRequest,
	insert: InsertRun,
): Promise<StoredRun> {
	const isRepeated = request.turn?.regenerate_of !== undefined;
	assertRunnableJson(isRepeated ? { ...request, input: null } : request);
	await requireSpace(scope);
	const agent = await findRunnableAgent(scope, request.agentIdOrSlug);
	const turn =
		request.turn && (await prepareTurn(scope, request.turn, readMessageText(request.input as Json)));
	const { depth, traceContext } = scope;
	const input = turn?.text ?? request.input;
	return startForCaller(scope, { ...request, input, turn, agent, depth, traceContext }, insert);
}

interface AgentRun extends Omit<AgentRunRequest, "agentIdOrSlug" | "turn"> {
	readonly agent: StoredAgent;
	/** Number of services, runtimes and agents that the run came through. */
	readonly depth: number;
	/** Message of a thread that it answers. */
	readonly turn?: PreparedTurn | undefined;
	/** The run that needs it. */
	readonly parentRunId?: string;
	/** The request or call that it is for. */
	readonly traceContext: TraceContext | undefined;
}

async function startForCaller(runContext: RunContext, run: AgentRun, insert?: InsertRun): Promise<StoredRun> {
	const { caller, workspace, kernel } = runContext;
	const { agent, depth, input, turn, background, traceContext } = run;
	await resolveKnowledgeBases(runContext, listKnowledgeBases(agent.graph));
	const resumeContext = { graph: agent.graph, depth, caller };
	return workspace.runs.start(
		{
			agent,
			runnable: prepareAgent(runContext, resumeContext),
			input: input as Json,
			context: (run.context ?? {}) as JsonObject,
			// What a browser sends may be anyone's words.
			untrustedContext: caller.kind !== "client" || run.untrustedContext === true,
			background,
			resumeContext,
			parentRunId: run.parentRunId,
			thread: turn && toRunThread(workspace, turn),
			follow: () => kernel.telemetry.observeRun({ agent: agent.slug, traceContext }),
		},
		insert,
	);
}

/** Makes an agent ready to run, with the models, secrets and limits of now. */
export function prepareAgent(runContext: RunContext, { graph, depth }: ResumeContext): LocalAgent {
	const { runs, knowledge, settings, agents, externalPorts } = runContext.workspace;
	const { models, limits, telemetry, schemas } = runContext.kernel;
	const { caller, kernel, workspace } = runContext;
	const meter = createCallMeter({ caller, kernel, workspace }, { isServiceRun: true });
	const nestedAgentPort = createNestedAgentPort(runs, async ({ agentIdOrSlug, ...request }) => {
		assertDepth(depth + 1);
		// The edge is the permission: a client key need not have the agent itself.
		const agent = await agents.get(agentIdOrSlug);
		await assertVisibleAgent(runContext, agent.id);
		const run = { ...request, agent, background: false, depth: depth + 1 };
		return (await startForCaller(runContext, run)).id;
	});
	const canSeeAddresses = caller.scopes.includes("settings:write");
	return createLocalAgent(graph, {
		ports: {
			...createServicePorts({
				knowledge,
				models,
				settings,
				meter,
				resolveKnowledgeBases: (names) => resolveKnowledgeBases(runContext, names),
			}),
			...createAgentPorts({
				externalPorts,
				nestedAgentPort,
				depth: depth + 1,
				canSeeAddresses,
				saveState: (runId) => runs.saveState(runId),
			}),
			validate: createOutputValidator(schemas.forWorkspace(runContext.workspace.id)),
		},
		limits: limits.run,
		instrument: telemetry.instrument,
	});
}

/** An agent that the caller may run; one that a client key may not run is not there for it. @throws DomainError `agent_not_found`. */
export async function findRunnableAgent(scope: RequestScope, idOrSlug: string): Promise<StoredAgent> {
	const agent = await scope.workspace.agents.get(idOrSlug);
	assertAgentAllowed(scope.caller, agent);
	await assertVisibleAgent(scope, agent.id);
	return agent;
}

/** Asserts that the input can be run, so that JSON a run would refuse is refused before the run is created. */
function assertRunnableJson({ input, context = {} }: AgentRunRequest): void {
	const issues: AgentGraphIssue[] = [];
	const copy = copyJson({ input, context }, issues) as { readonly input: Json } | undefined;
	if (issues.length === 0 && copy !== undefined) issues.push(...findInputIssues(copy.input));
	const [first] = issues;
	if (first === undefined) return;
	throw new DomainError("invalid_request", `"${formatPath(first.path)}": ${first.message}`, {
		param: formatPath(first.path),
		details: { issues: issues.map(({ path, message }) => ({ path: formatPath(path), message })) },
	});
}

function findInputIssues(input: Json): AgentGraphIssue[] {
	const result = readRunInput(input);
	if ("input" in result) return [];
	return result.issues.map(({ path, message }) => ({
		code: "invalid_shape",
		message,
		path: ["input", ...path],
	}));
}

/** Lists the knowledge bases that the nodes of a graph name. */
export const listKnowledgeBases = ({ nodes }: AgentGraph): string[] =>
	nodes.flatMap((node) => (node.kind === "knowledge" ? node.knowledgeBases : []));

function assertAgentAllowed(caller: Caller, { id, slug }: StoredAgent): void {
	if (caller.kind !== "client_key" || caller.agents === null) return;
	if (!caller.agents.includes(id) && !caller.agents.includes(slug)) throw agentNotFound(slug);
}
