import type { JsonObject, ReceiptRow, RunError, RunEvent, RunResult } from "@stemma/core";
import { type CitationReducer, createCitationReducer } from "./citation-reducer";
import type { Command, ModelCommand } from "./command";
import type { CompiledGraph, CompiledNode } from "./compiled-graph";
import type { Invocation } from "./invocation";
import type { ResolvedModel, RetrievedPassage } from "./ports";

/** Everything that a run knows. It changes only in `transition`. */
export interface RunState {
	readonly graph: CompiledGraph;
	readonly runId: string;
	readonly context: JsonObject;
	readonly limits: EffectiveLimits;
	readonly models: Map<CompiledNode, ResolvedModel>;
	readonly systems: Map<CompiledNode, string>;
	readonly boundary: string;
	readonly startedAt: number;
	/** Set before each transition; the engine has no clock. */
	now: number;
	seq: number;
	invocations: number;
	scopes: number;
	readonly tasks: Task[];
	readonly commands: Command[];
	readonly events: RunEvent[];
	/** Started and neither completed nor failed. */
	readonly open: Set<Invocation>;
	readonly modelCalls: Set<ModelCommand>;
	readonly retrievals: Map<string, RetrievalEntry>;
	readonly passages: RetrievedPassage[];
	readonly passageNumbers: Map<string, number>;
	readonly receipt: (ReceiptRow | undefined)[];
	answer: CitationReducer;
	inputTokens: number;
	outputTokens: number;
	reservedTokens: number;
	steps: number;
	result: RunResult | undefined;
}

/** What is to be done next inside the engine, in order. */
export type Task =
	| { readonly do: "start"; readonly invocation: Invocation }
	| { readonly do: "turn"; readonly invocation: Invocation }
	| { readonly do: "continue"; readonly invocation: Invocation }
	| { readonly do: "settle"; readonly invocation: Invocation };

/** A retrieval of this run: the same node is not asked the same question twice. */
export interface RetrievalEntry {
	readonly query: string;
	readonly waiting: Invocation[];
	passages: readonly RetrievedPassage[] | undefined;
	error: RunError | undefined;
}

export interface EffectiveLimits {
	readonly maxSteps: number;
	readonly maxDepth: number;
	readonly timeoutMs: number;
	readonly maxTokens: number;
}

/** Siblings of which one failing makes the others useless share a scope, so that they can be aborted together. */
export function openScope(run: RunState, parent: Invocation, siblings: number): number {
	if (siblings < 2) return parent.scope;
	run.scopes += 1;
	run.commands.push({ type: "scope", scope: run.scopes, within: parent.scope });
	return run.scopes;
}

/** Reads the answer's citations against the passages of this run. */
export function createAnswer({ passages }: Pick<RunState, "passages">): CitationReducer {
	return createCitationReducer(
		(number) => passages[number - 1],
		() => passages.length > 0,
	);
}
