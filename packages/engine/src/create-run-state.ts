import {
	type AgentGraphIssue,
	ConfigurationError,
	formatPath,
	type Json,
	type JsonObject,
	type RunLimits,
} from "@stemma/core";
import { copyJson } from "@stemma/core/internal";
import { createCitationState } from "./citation-reducer";
import type { CompiledGraph } from "./compiled-graph";
import { meetLimits } from "./limits";
import type { EngineHost } from "./ports";
import type { EngineRunOptions } from "./run-options";
import type { RunState } from "./run-state";

/** A run in which nothing has happened yet. */
export function createRunState(
	graph: CompiledGraph,
	{ runId, input, context = {}, untrustedContext = false }: EngineRunOptions,
	host: EngineHost,
	operatorLimits: RunLimits,
): RunState {
	const now = host.now();
	return {
		graph,
		runId: runId ?? host.createId("run"),
		input: snapshot(input, "input"),
		// An object in, an object out.
		context: snapshot(context, "context") as JsonObject,
		untrustedContext,
		limits: meetLimits(graph.limits, operatorLimits),
		models: new Map(),
		tools: new Map(),
		offers: new Map(),
		systems: new Map(),
		boundary: host.createId("data"),
		startedAt: now,
		now,
		seq: 0,
		invocations: 0,
		scopes: 0,
		tasks: [],
		commands: [],
		events: [],
		open: new Set(),
		modelCalls: new Set(),
		retrieving: new Set(),
		toolCalls: new Set(),
		remoteCalls: new Set(),
		retrievals: new Map(),
		passages: [],
		retrieved: new Set(),
		passageNumbers: new Map(),
		receipt: [],
		answer: createCitationState(),
		inputTokens: 0,
		outputTokens: 0,
		reservedTokens: 0,
		steps: 0,
		result: undefined,
	};
}

/** A copy, so that what the caller changes meanwhile changes no run. */
function snapshot(value: unknown, name: "input" | "context"): Json {
	const issues: AgentGraphIssue[] = [];
	const copy = copyJson(value, issues);
	if (copy !== undefined && issues.length === 0) return copy;
	const problems = issues.map(({ path, message }) => `${formatPath([name, ...path])}: ${message}`);
	throw new ConfigurationError(`The run's ${name} is not JSON. ${problems.join(" ")}`, {
		code: `invalid_${name}`,
	});
}
