import type { ChatTool, Json, JsonObject, ReceiptRow, RunError, RunEvent, RunResult } from "@stemma/core";
import type { CitationState } from "./citation-reducer";
import type { Command, ModelCommand, RemoteCommand, RetrieveCommand, ToolCommand } from "./command";
import type { CompiledGraph } from "./compiled-graph";
import type { Invocation } from "./invocation";
import type { ResolvedModel, RetrievedPassage, ToolDescription } from "./ports";

/** Everything that a run knows. It changes only in `transition`. */
export interface RunState {
	readonly graph: CompiledGraph;
	readonly runId: string;
	readonly input: Json;
	readonly context: JsonObject;
	/** The context is data, and no part of instructions. */
	readonly untrustedContext: boolean;
	readonly limits: EffectiveLimits;
	/** By node id. */
	readonly models: Map<string, ResolvedModel>;
	/** Of tool nodes, by node id. */
	readonly tools: Map<string, ToolDescription>;
	/** What models are offered, by the id of the node that may call; only of those that reach tools. */
	readonly offers: Map<string, readonly ChatTool[]>;
	/** System messages by node id. */
	readonly systems: Map<string, string>;
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
	/** Model calls that are planned or out. */
	readonly modelCalls: Set<ModelCommand>;
	/** Retrievals that are planned or out. */
	readonly retrieving: Set<RetrieveCommand>;
	/** Calls of tools that are planned or out. */
	readonly toolCalls: Set<ToolCommand>;
	/** Runs of remote agents that are planned or out. */
	readonly remoteCalls: Set<RemoteCommand>;
	readonly retrievals: Map<string, RetrievalEntry>;
	/** Outputs of knowledge nodes, tools and agents that cite nothing: text of others, in which nothing is a citation mark. */
	readonly retrieved: Set<object>;
	/** By number, from 1. */
	readonly passages: RetrievedPassage[];
	/** By the id of a passage; those that a remote agent cites by a key that no id is. */
	readonly passageNumbers: Map<string, number>;
	readonly receipt: (ReceiptRow | undefined)[];
	answer: CitationState;
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
	readonly key: string;
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
