import type {
	ApprovalDecision,
	ChatModel,
	Json,
	JsonObject,
	ReceiptRow,
	RunEvent,
	RunResult,
} from "@stemma/core";
import type { CitationState } from "../answer/citation-state";
import type { CompiledGraph } from "../graph/compiled-graph";
import type { ToolSet } from "../graph/tool-set";
import type { RetrievedPassage } from "../io/ports";
import type { Invocation, RetrievalEntry } from "../nodes/invocation";
import type {
	ByIndex,
	CallAccount,
	CallCommand,
	Command,
	DescribedTool,
	RemoteCommand,
	RetrieveCommand,
	ToolCommand,
} from "./command";

/** Complete state of a run. It changes only in `transition`. */
export interface RunState {
	readonly graph: CompiledGraph;
	readonly runId: string;
	readonly input: Json;
	readonly context: JsonObject;
	/** The context is data, and no part of instructions. */
	readonly untrustedContext: boolean;
	readonly limits: EffectiveLimits;
	/** Models, by index of the node. */
	models: ByIndex<AnsweringModel>;
	/** Descriptions of the tool nodes, by index of the node. */
	tools: ByIndex<DescribedTool>;
	/** Tools that models are offered, by index of the calling node; only for nodes that reach tools. */
	toolSets: ByIndex<ToolSet>;
	/** System messages that the context fills, by index of the node. */
	systemMessages: ByIndex<string>;
	/** Empty where the graph shows no data. */
	readonly boundary: string;
	/** Time at which the run was started or last resumed. */
	readonly runningSince: number;
	/** Running time before that, without pauses. */
	readonly previousRunMs: number;
	/** Set before each transition; the engine has no clock. */
	now: number;
	/** True once the models and tools of all nodes are known. */
	isReady: boolean;
	seq: number;
	invocations: number;
	scopes: number;
	readonly tasks: Task[];
	readonly commands: Command[];
	readonly events: RunEvent[];
	/** Number of `events` that listeners have received. */
	deliveredEvents: number;
	/** Started and neither completed nor failed. */
	readonly openInvocations: Set<Invocation>;
	/** Calls of models, tools and remote agents, queued or in flight; of a remote agent also one that nobody waits for. */
	readonly pendingCalls: Set<CallCommand>;
	/** Number of pending calls that are in progress and that something waits for. */
	inFlight: number;
	/** Pending calls that wait for others to end, in order. */
	readonly queuedCalls: CallCommand[];
	/** Retrievals that are queued or in flight. */
	readonly pendingRetrievals: Set<RetrieveCommand>;
	/** Open approvals, in the order in which they were requested. */
	readonly approvals: OpenApproval[];
	/** Decisions that were not applied yet. */
	readonly decisions: ApprovalDecision[];
	retrievals: Map<string, RetrievalEntry> | undefined;
	/** Passages by number, from 1. */
	readonly passages: RetrievedPassage[];
	/** Numbers of passages by id. Passages that a remote agent cites have a key that no id has. */
	passageNumbers: Map<string, number> | undefined;
	readonly receipt: (ReceiptRow | undefined)[];
	answer: CitationState;
	inputTokens: number;
	outputTokens: number;
	reservedTokens: number;
	steps: number;
	result: RunResult | undefined;
}

/** Next step inside the engine. Steps are done in order. */
export type Task =
	| { readonly type: "start"; readonly invocation: Invocation }
	| { readonly type: "turn"; readonly invocation: Invocation }
	| { readonly type: "continue"; readonly invocation: Invocation }
	| { readonly type: "settle"; readonly invocation: Invocation };

export interface AnsweringModel {
	readonly model: ChatModel;
	/** Receipt fields of the model. */
	readonly account: CallAccount;
}

/** A call that waits for a person. */
export interface OpenApproval {
	readonly id: string;
	readonly command: ToolCommand | RemoteCommand;
	/** Epoch milliseconds. */
	readonly expiresAt: number;
}

export interface EffectiveLimits {
	readonly maxSteps: number;
	readonly maxDepth: number;
	readonly timeoutMs: number;
	readonly maxTokens: number;
	readonly maxConcurrentCalls: number;
}

/** Returns the running time of the run, without pauses. */
export const elapsed = ({ previousRunMs, now, runningSince }: RunState): number =>
	previousRunMs + now - runningSince;

/** Siblings of which one failing makes the others useless share a scope, so that they can be aborted together. */
export function openScope(run: RunState, parent: Invocation, siblings: number): number {
	if (siblings < 2) return parent.scope;
	run.scopes += 1;
	run.commands.push({ type: "scope", scope: run.scopes, within: parent.scope });
	return run.scopes;
}
