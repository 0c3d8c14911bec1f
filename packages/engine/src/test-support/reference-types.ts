import type {
	AgentEdge,
	AgentGraph,
	AgentNode,
	EdgeMode,
	InvocationMode,
	Json,
	JsonObject,
} from "@stemma/core";
import type { AgentOutcome, RetrievedPassage } from "../index";
import type { ReferenceMessage, Value } from "./reference-value";
import type { ScriptedReply } from "./scripted";

/** What a model is shown, without the engine's own words. */
export interface ModelInput {
	readonly node: string;
	readonly depth: number;
	readonly system: string | undefined;
	readonly data: readonly (readonly [name: string, content: string])[];
	readonly messages: readonly ReferenceMessage[];
	readonly tools: readonly string[];
	readonly mayCall: boolean;
	readonly wantsJson: boolean;
}

/** The world of a run; everything is answered at once. */
export interface ReferencePorts {
	reply(modelInput: ModelInput): ScriptedReply;
	retrieve(node: string, query: string): readonly RetrievedPassage[] | Error;
	call(node: string, args: JsonObject): Json | Error;
	ask(node: string, input: Json): AgentOutcome | Error;
	approves(node: string, args: JsonObject): boolean;
	isValid(json: Json): boolean;
}

/** One invocation, and what happened in it, in order. */
export interface Trace {
	readonly node: string;
	readonly invocation: number;
	readonly mode: InvocationMode;
	readonly input: Json;
	readonly log: (readonly [what: string, ...details: Json[]])[];
	readonly children: Trace[];
	/** One of several that ran at once failed it: how far the others came depends on who was first. */
	hasRace?: boolean;
	/** The text that stands was cut by length. */
	isTruncated?: boolean;
}

export interface ReferenceRun {
	readonly status: "completed" | "failed";
	readonly codes: readonly string[];
	readonly output: Json;
	readonly cited: readonly RetrievedPassage[];
	readonly root: Trace;
	readonly modelInputs: readonly ModelInput[];
	readonly receipt: readonly string[];
	readonly steps: number;
	/** Several things were under way at once, so that their order is free. */
	readonly isParallel: boolean;
	/** As far as it is determined: which invocations started (`+`) and ended (`-`), in order. */
	readonly order: readonly string[];
}

/** Where an invocation stands in the run. */
export interface InvocationOrigin {
	readonly mode: InvocationMode;
	readonly depth: number;
	readonly parent?: Trace;
	/** What it says is the answer, unless it has `then` edges or `output`. */
	readonly isTail?: boolean;
	/** Note of the handoff that led here. */
	readonly note?: string;
}

/** What the parts of the reference interpreter share: one run. */
export interface ReferenceState {
	readonly graph: AgentGraph;
	readonly ports: ReferencePorts;
	/** Fills the context into instructions. */
	readonly fill: (instructions: string) => string;
	readonly maxDepth: number;
	readonly modelInputs: ModelInput[];
	readonly receipt: string[];
	isParallel: boolean;
	/** Counts a step, or ends the run. */
	step(): void;
	nodeOf(id: string): AgentNode;
	edgesOf(id: string, ...modes: EdgeMode[]): AgentEdge[];
	invoke(id: string, value: Value, origin: InvocationOrigin): Value;
	/** All of them at once: here one after another, to the end of each. */
	runAll(edges: readonly AgentEdge[], trace: Trace, invokeOne: (edge: AgentEdge) => Value): Value[];
}
