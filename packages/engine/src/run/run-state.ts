import type {
	ApprovalDecision,
	ChatModel,
	Json,
	JsonObject,
	KnowledgeNode,
	ReceiptRow,
	RunError,
	RunEvent,
	RunResult,
} from "@stemma/core";
import type { CitationState } from "../answer/citation-reducer";
import type { CompiledGraph } from "../graph/compiled-graph";
import type { ToolSet } from "../graph/tool-set";
import type { RetrievedPassage, ToolDescription } from "../io/ports";
import type { Invocation } from "../nodes/invocation";
import type {
	CallAccount,
	CallCommand,
	Command,
	RemoteCommand,
	RetrieveCommand,
	ToolCommand,
} from "./command";

/** Everything that a run knows. It changes only in `transition`. */
export interface RunState {
	readonly graph: CompiledGraph;
	readonly runId: string;
	readonly input: Json;
	readonly context: JsonObject;
	/** The context is data, and no part of instructions. */
	readonly untrustedContext: boolean;
	readonly limits: EffectiveLimits;
	/** By index of the node. */
	models: ByIndex<AnsweringModel>;
	/** Of tool nodes, by index. */
	tools: ByIndex<DescribedTool>;
	/** What models are offered, by index of the node that may call; only of those that reach tools. */
	toolSets: ByIndex<ToolSet>;
	/** System messages that the context fills, by index of the node. */
	systemMessages: ByIndex<string>;
	/** Empty where the graph shows no data. */
	readonly boundary: string;
	/** When the run was started or last went on. */
	readonly runningSince: number;
	/** How long it had run before that; pauses do not count. */
	readonly previousRunMs: number;
	/** Set before each transition; the engine has no clock. */
	now: number;
	/** Who answers, and what stands behind tools, is known. */
	isReady: boolean;
	seq: number;
	invocations: number;
	scopes: number;
	readonly tasks: Task[];
	readonly commands: Command[];
	readonly events: RunEvent[];
	/** How many of `events` were handed over. */
	deliveredEvents: number;
	/** Started and neither completed nor failed. */
	readonly openInvocations: Set<Invocation>;
	/** Calls of models, tools and remote agents, queued or in flight; of a remote agent also one that nobody waits for. */
	readonly pendingCalls: Set<CallCommand>;
	/** How many of these were begun, and something waits for them. */
	inFlight: number;
	/** Of these, those that wait for others to end, in order. */
	readonly queuedCalls: CallCommand[];
	/** Retrievals that are queued or in flight. */
	readonly pendingRetrievals: RetrieveCommand[];
	/** In the order in which they were asked for. */
	readonly approvals: OpenApproval[];
	/** Those that were not taken note of yet. */
	readonly decisions: ApprovalDecision[];
	retrievals: Map<string, RetrievalEntry> | undefined;
	/** By number, from 1. */
	readonly passages: RetrievedPassage[];
	/** By the id of a passage; those that a remote agent cites by a key that no id is. */
	passageNumbers: Map<string, number> | undefined;
	readonly receipt: (ReceiptRow | undefined)[];
	answer: CitationState;
	inputTokens: number;
	outputTokens: number;
	reservedTokens: number;
	steps: number;
	result: RunResult | undefined;
}

/** Of some nodes, each at the index of its node. */
export type ByIndex<Value> = readonly (Value | undefined)[];

/** What is to be done next inside the engine, in order. */
export type Task =
	| { readonly type: "start"; readonly invocation: Invocation }
	| { readonly type: "turn"; readonly invocation: Invocation }
	| { readonly type: "continue"; readonly invocation: Invocation }
	| { readonly type: "settle"; readonly invocation: Invocation };

export interface DescribedTool extends ToolDescription {
	/** It cannot be called any more: what its calls fail with. */
	readonly error?: RunError;
}

export interface AnsweringModel {
	readonly model: ChatModel;
	/** What the receipt says of it. */
	readonly account: CallAccount;
}

/** A call that waits for a person. */
export interface OpenApproval {
	readonly id: string;
	readonly command: ToolCommand | RemoteCommand;
	/** Epoch milliseconds. */
	readonly expiresAt: number;
}

/** A retrieval of this run: the same node is not asked the same question twice. */
export interface RetrievalEntry {
	readonly key: string;
	readonly node: KnowledgeNode;
	readonly query: string;
	readonly waiters: Invocation[];
	passages: readonly RetrievedPassage[] | undefined;
	error: RunError | undefined;
}

export interface EffectiveLimits {
	readonly maxSteps: number;
	readonly maxDepth: number;
	readonly timeoutMs: number;
	readonly maxTokens: number;
	readonly maxConcurrentCalls: number;
}

/** How long the run has taken, without pauses. */
export const elapsed = ({ previousRunMs, now, runningSince }: RunState): number =>
	previousRunMs + now - runningSince;

/** Siblings of which one failing makes the others useless share a scope, so that they can be aborted together. */
export function openScope(run: RunState, parent: Invocation, siblings: number): number {
	if (siblings < 2) return parent.scope;
	run.scopes += 1;
	run.commands.push({ type: "scope", scope: run.scopes, within: parent.scope });
	return run.scopes;
}
