import type { RunLimits } from "@stemma/core";
import type { CompiledGraph } from "./compiled-graph";
import type { EngineRunOptions } from "./engine";
import { meetLimits } from "./limits";
import type { EngineHost } from "./ports";
import { createAnswer, type RunState } from "./run-state";

/** A run in which nothing has happened yet. */
export function createRunState(
	graph: CompiledGraph,
	{ runId, context = {} }: Pick<EngineRunOptions, "runId" | "context">,
	host: EngineHost,
	operatorLimits: RunLimits,
): RunState {
	const now = host.now();
	const passages: RunState["passages"] = [];
	return {
		graph,
		runId: runId ?? host.createId("run"),
		context,
		limits: meetLimits(graph.limits, operatorLimits),
		models: new Map(),
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
		retrievals: new Map(),
		passages,
		passageNumbers: new Map(),
		receipt: [],
		answer: createAnswer({ passages }),
		inputTokens: 0,
		outputTokens: 0,
		reservedTokens: 0,
		steps: 0,
		result: undefined,
	};
}
