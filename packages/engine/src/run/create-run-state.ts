import {
	type AgentGraphIssue,
	ConfigurationError,
	formatPath,
	type Json,
	type JsonObject,
} from "@stemma/core";
import { copyJson, isJsonObject, readRunInput } from "@stemma/core/internal";
import { createCitationState } from "../answer/citation-state";
import type { CompiledGraph } from "../graph/compiled-graph";
import type { EngineHost } from "../io/ports";
import type { EngineRunOptions } from "./run-options";
import type { EffectiveLimits, RunState } from "./run-state";

const EMPTY: JsonObject = Object.freeze({});

/** A run in which nothing has happened yet. */
export function createRunState(
	graph: CompiledGraph,
	{ runId, input, context = EMPTY, untrustedContext = false }: EngineRunOptions,
	host: EngineHost,
	limits: EffectiveLimits,
): RunState {
	return createEmptyState({
		graph,
		runId: runId ?? host.createId("run"),
		input: readInput(copyJsonValue(input, "input")),
		context: context === EMPTY ? EMPTY : readContext(context),
		untrustedContext,
		limits,
		boundary: graph.needsDataBoundary ? host.createId("data") : "",
		runningSince: host.now(),
		previousRunMs: 0,
	});
}

const NONE: readonly never[] = Object.freeze([]);

type RunOrigin = Pick<
	RunState,
	| "graph"
	| "runId"
	| "input"
	| "context"
	| "untrustedContext"
	| "limits"
	| "boundary"
	| "runningSince"
	| "previousRunMs"
>;

/** A run of which only is known how it began. */
export function createEmptyState(origin: RunOrigin): RunState {
	return {
		graph: origin.graph,
		runId: origin.runId,
		input: origin.input,
		context: origin.context,
		untrustedContext: origin.untrustedContext,
		limits: origin.limits,
		boundary: origin.boundary,
		runningSince: origin.runningSince,
		previousRunMs: origin.previousRunMs,
		now: origin.runningSince,
		models: NONE,
		tools: NONE,
		toolSets: NONE,
		systemMessages: NONE,
		isReady: false,
		seq: 0,
		invocations: 0,
		scopes: 0,
		tasks: [],
		commands: [],
		events: [],
		deliveredEvents: 0,
		openInvocations: new Set(),
		pendingCalls: new Set(),
		inFlight: 0,
		queuedCalls: [],
		pendingRetrievals: new Set(),
		approvals: [],
		decisions: [],
		retrievals: undefined,
		passages: [],
		passageNumbers: undefined,
		receipt: [],
		answer: createCitationState(),
		inputTokens: 0,
		outputTokens: 0,
		reservedTokens: 0,
		steps: 0,
		result: undefined,
	};
}

/** The input with its messages as text. */
function readInput(input: Json): Json {
	const result = readRunInput(input);
	if ("input" in result) return result.input;
	const problems = result.issues.map(({ path, message }) => `${formatPath(["input", ...path])}: ${message}`);
	throw new ConfigurationError(`The run's input is not a valid conversation. ${problems.join(" ")}`, {
		code: "invalid_input",
	});
}

function readContext(context: object): JsonObject {
	const copy = copyJsonValue(context, "context");
	if (isJsonObject(copy)) return copy;
	throw new ConfigurationError("The run's context is not an object.", { code: "invalid_context" });
}

/** A copy, so that what the caller changes meanwhile changes no run. */
function copyJsonValue(value: unknown, name: "input" | "context"): Json {
	if (typeof value === "string") return value;
	const issues: AgentGraphIssue[] = [];
	const copy = copyJson(value, issues);
	if (copy !== undefined && issues.length === 0) return copy;
	const problems = issues.map(({ path, message }) => `${formatPath([name, ...path])}: ${message}`);
	throw new ConfigurationError(`The run's ${name} is not JSON. ${problems.join(" ")}`, {
		code: `invalid_${name}`,
	});
}
