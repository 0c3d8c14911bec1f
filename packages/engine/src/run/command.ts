import type { ChatReply, Json, JsonObject, ReceiptRow, RunError } from "@stemma/core";
import type { CheckedOutcome } from "../io/agent-outcome";
import type { ResolvedModel, Retrieval, SchemaValidationResult, ToolDescription } from "../io/ports";
import type { Invocation, RetrievalEntry } from "../nodes/invocation";

/** Action that the engine asks its executor to carry out. */
export type Command =
	| ResolveCommand
	| CallCommand
	| RetrieveCommand
	| ScopeCommand
	| AbortCommand
	| IdleCommand;

/** A call of which only so many are in flight at once. */
export type CallCommand = ModelCommand | ToolCommand | RemoteCommand;

/** Asks who answers for each model node, and what stands behind each tool node. */
export interface ResolveCommand {
	readonly type: "resolve";
}

export interface ModelCommand {
	readonly type: "model";
	readonly invocation: Invocation;
	/** True while the call is in progress and something waits for it. */
	isInFlight: boolean;
	/** The row of the receipt that this call will fill. */
	readonly row: number;
	/** Model that is called, and its payer. */
	account: CallAccount;
	/** The time that the run had taken. */
	readonly startedAt: number;
	/** Calls are offered in this turn, and may be made. */
	readonly mayCall: boolean;
	/** The node's own figure, or what the run's token limit leaves. */
	readonly maxOutputTokens: number | undefined;
	/** Tokens set aside for it until it is settled. */
	readonly reserved: number;
	/** Input tokens, for the receipt of a call whose usage stays unknown. */
	readonly estimatedInput: number;
	/** Characters that came back so far. */
	received: number;
}

export type CallAccount = Pick<ReceiptRow, "payer" | "provider" | "vendor_host" | "model" | "reason">;

export interface RetrieveCommand {
	readonly type: "retrieve";
	readonly entry: RetrievalEntry;
	/** Reads the receipt so far, where the port said how. */
	readReceipt?: () => readonly ReceiptRow[];
}

export interface ToolCommand {
	readonly type: "tool";
	readonly invocation: Invocation;
	/** True while the call is in progress and something waits for it. */
	isInFlight: boolean;
	readonly arguments: JsonObject;
}

export interface RemoteCommand {
	readonly type: "remote";
	readonly invocation: Invocation;
	/** True while the call is in progress and something waits for it. */
	isInFlight: boolean;
	/** Characters of text that came since it was last taken back. */
	received: number;
	/** Text that was passed on before it was final. */
	sent: string;
	/** Text that is not final waits from here on for the outcome, which tells what its numbers mean. */
	isHeld: boolean;
}

/** Opens a scope within another: what is aborted with the outer one is aborted with the inner one too. */
export interface ScopeCommand {
	readonly type: "scope";
	readonly scope: number;
	readonly within: number;
}

export interface AbortCommand {
	readonly type: "abort";
	readonly scope: number;
}

/** Asks whether the run is idle: comes back as a signal after all listeners have received the events. */
export interface IdleCommand {
	readonly type: "idle";
}

/** Values of some nodes, each at the index of its node. */
export type ByIndex<Value> = readonly (Value | undefined)[];

export interface DescribedTool extends ToolDescription {
	/** Error of calls to a tool that can no longer be called. */
	readonly error?: RunError;
}

/** A node's output, checked by its schema. */
export type CheckedOutput =
	| { readonly value: Json | undefined; readonly validation: SchemaValidationResult }
	/** The output could not be checked. */
	| { readonly error: RunError };

/** Report on a call that has ended, from its reply or its error. `attempts: 0` means that nothing was sent. */
export type CallReport = Partial<Pick<ChatReply, "usage" | "attempts" | "receipt">>;

/** Result of a command, reported to the engine. */
export type Signal =
	| { readonly type: "text"; readonly command: ModelCommand; readonly text: string }
	| { readonly type: "reasoning"; readonly command: ModelCommand; readonly text: string }
	| {
			readonly type: "reply";
			readonly command: ModelCommand;
			readonly reply: ChatReply;
			/** Undefined where it is no output, or the node has no schema. */
			readonly output: CheckedOutput | undefined;
	  }
	| {
			readonly type: "passages";
			readonly command: RetrieveCommand;
			readonly retrieval: Retrieval;
	  }
	| {
			readonly type: "failed";
			readonly command: CallCommand | RetrieveCommand;
			readonly error: RunError;
			/** Report on a call to a model, as far as its error has one. */
			readonly report?: CallReport | undefined;
			/** Rows of the calls that a retrieval or a remote agent made before it failed. */
			readonly receipt?: readonly ReceiptRow[] | undefined;
	  }
	| { readonly type: "output"; readonly command: ToolCommand; readonly output: Json }
	| { readonly type: "remote-text"; readonly command: RemoteCommand; readonly text: string }
	| { readonly type: "remote-reset"; readonly command: RemoteCommand }
	| { readonly type: "outcome"; readonly command: RemoteCommand; readonly outcome: CheckedOutcome }
	| { readonly type: "start" }
	/** A run that was saved goes on. */
	| {
			readonly type: "resume";
			/** Text of the answer that was sent after the run was saved is withdrawn. */
			readonly withdrawsText: boolean;
	  }
	/** Nothing moved, and everyone knows. */
	| { readonly type: "idle" }
	/** There is a decision on an approval in `run.decisions`. */
	| { readonly type: "decide" }
	| { readonly type: "resolve-failed"; readonly error: RunError }
	| {
			readonly type: "resolved";
			readonly models: ByIndex<ResolvedModel>;
			readonly tools: ByIndex<DescribedTool>;
	  }
	| { readonly type: "timeout" }
	| { readonly type: "cancel" };
