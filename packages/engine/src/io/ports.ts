import type {
	ChatModel,
	Citation,
	Json,
	JsonObject,
	JsonSchema,
	ModelChoice,
	Payer,
	Place,
	ReceiptRow,
	TraceContext,
} from "@stemma/core";

/**
 * Interfaces to the outside that a run needs. A port throws when it cannot do what it is asked; a `StemmaError` keeps
 * its code, message and hint in the run's events and result.
 */
export interface EnginePorts {
	readonly models: ModelPort;
	readonly retriever: Retriever;
	readonly tools: ToolPort;
	readonly agents: AgentPort;
	readonly validate: SchemaValidator;
}

export interface PortCallOptions {
	/** Aborts when the run ends or the result is no longer wanted. */
	readonly signal: AbortSignal;
	/** Sent along with calls over the network. The engine sets none: ports that record traces do. */
	readonly traceContext?: TraceContext | undefined;
}

/** Decides which model answers for a node, and who pays. */
export interface ModelPort {
	/**
	 * Called once for each model node that the coordinator reaches, before anything is paid for. An error that it
	 * throws ends the run; all of them are listed.
	 */
	resolve(request: ModelRequest, options: PortCallOptions): ResolvedModel | Promise<ResolvedModel>;
	/**
	 * Called in place of `resolve`, where it is there: once for each run, with all model nodes that the coordinator reaches,
	 * before anything is paid for. What it throws ends the run, and is its error, with `details` where it has some.
	 *
	 * @returns one for each node, in their order.
	 */
	resolveAll?(
		request: RunModelRequest,
		options: PortCallOptions,
	): readonly ResolvedModel[] | Promise<readonly ResolvedModel[]>;
}

export interface ModelRequest {
	readonly runId: string;
	readonly node: string;
	readonly choice?: ModelChoice;
	/** The knowledge bases that the coordinator reaches. */
	readonly knowledgeBases: readonly string[];
}

/** All model nodes of a run. */
export interface RunModelRequest {
	readonly runId: string;
	readonly nodes: readonly Pick<ModelRequest, "node" | "choice">[];
	/** The knowledge bases that the coordinator reaches. */
	readonly knowledgeBases: readonly string[];
}

/**
 * Model that answers, and its payer. An error of the model's calls may have a `receipt`, as a list: the row of the call
 * that failed. With `attempts: 0` nothing was sent, and the call has no row.
 */
export interface ResolvedModel {
	readonly model: ChatModel;
	readonly payer: Payer;
	/** Sentence that says why this payer was chosen; goes onto the receipt. */
	readonly reason: string;
}

/** Finds passages. An error may have a `receipt`: the model calls that were made before it failed. */
export interface Retriever {
	retrieve(request: RetrievalRequest, options: RetrievalOptions): Promise<Retrieval>;
}

export interface RetrievalOptions extends PortCallOptions {
	/**
	 * Sets how the receipt so far is read, with an estimate of each call in flight: its rows are the run's if the run ends
	 * before the retrieval. Without it those calls are not on the run's receipt.
	 */
	setReceiptReader?(read: () => readonly ReceiptRow[]): void;
}

/** Message of a conversation that a run was started with. */
export interface ConversationMessage {
	readonly role: "user" | "assistant";
	readonly content: string;
}

export interface RetrievalRequest {
	readonly runId: string;
	readonly node: string;
	/** Number of the asking invocation in the run's events: the first, where several ask the same. */
	readonly invocation?: number;
	readonly query: string;
	/** Messages before, where the query is the last question of the run's conversation. */
	readonly history?: readonly ConversationMessage[];
	readonly knowledgeBases: readonly string[];
	readonly topK: number;
	readonly minScore?: number;
	/** Metadata values that a document must have to be searched. */
	readonly filter?: JsonObject;
	/** Model choice of the coordinator. Its model scores passages, if a model does. */
	readonly choice?: ModelChoice;
	/** All knowledge bases that the coordinator reaches, as they decide about that model. */
	readonly runKnowledgeBases: readonly string[];
}

export interface Retrieval {
	/** Best first. */
	readonly passages: readonly RetrievedPassage[];
	/** The model calls that retrieving took; none for words alone. */
	readonly receipt?: readonly ReceiptRow[];
}

export interface RetrievedPassage {
	/** Unique among all knowledge bases of a run: passages with the same id are the same passage. */
	readonly passage_id: string;
	readonly document_id: string;
	readonly title: string;
	/** Source of the document: a path or an address. */
	readonly source?: string | null;
	/** The source, where it is an address on the web: `https:` or `http:`. */
	readonly url?: string;
	/** Metadata of the document. */
	readonly metadata?: JsonObject;
	readonly place: Place;
	readonly text: string;
}

/** Calls tools: of MCP servers, or registered in code. */
export interface ToolPort {
	/**
	 * Describes a tool to models. Called once for each tool node that the coordinator reaches, before anything is paid
	 * for. An
	 * error that it throws ends the run; all of them are listed. In a resumed run it only fails the calls of that tool,
	 * and
	 * models may still ask for them.
	 */
	describe(tool: ToolReference, options: PortCallOptions): Promise<ToolDescription>;
	/**
	 * Gives the result, which is taken as `JSON.stringify` would have it; of at most `MAX_OUTPUT_CHARACTERS`, 250,000: a
	 * port cuts longer text, with a mark, or the call fails with `tool_result_too_large`. What it throws is told to the model
	 * that called, with a message of at most 1,000; so are errors that a server gives as a result.
	 */
	call(request: ToolRequest, options: PortCallOptions): Promise<unknown>;
}

export interface ToolReference {
	readonly node: string;
	readonly tool: string;
	readonly server?: string;
	/** The name of a secret, never the secret. */
	readonly secret?: string;
}

export interface ToolDescription {
	readonly description?: string;
	/** JSON Schema of the arguments, an object. */
	readonly parameters: JsonSchema;
	/** The tool may be called again with the same arguments and nothing else happens. */
	readonly idempotent?: boolean;
}

export interface ToolRequest extends ToolReference {
	readonly runId: string;
	/** Number of the tool's invocation in the run's events. */
	readonly invocation?: number;
	/** Arguments of this call alone. */
	readonly arguments: JsonObject;
}

/** Runs other agents: of the service, or any A2A agent. */
export interface AgentPort {
	/**
	 * Runs one agent to its end. What it throws is told to the model that called, with a message of at most 1,000 characters,
	 * or fails the node that it runs before or after. When the signal aborts, the agent's run is of no use any more: the port
	 * cancels it. Nothing that comes after that is heard.
	 */
	run(request: AgentRequest, options: AgentCallOptions): Promise<AgentOutcome>;
}

export interface AgentRequest {
	readonly runId: string;
	readonly node: string;
	/** Number of the remote node's invocation in the run's events. */
	readonly invocation?: number;
	readonly agent: { readonly agentId: string } | { readonly url: string };
	/** The name of a secret, never the secret. */
	readonly secret?: string;
	/**
	 * Text, JSON, or for agents of the service the run's own `{messages}`: what else has that form comes as text. A copy that
	 * the port may change.
	 */
	readonly input: Json;
	/** The run's context; only for agents of the service. */
	readonly context?: JsonObject;
	/**
	 * The context comes from someone who may not write instructions: the agent must take it as data. A port that cannot
	 * tell it so leaves the context out.
	 */
	readonly untrustedContext?: boolean;
}

export interface AgentCallOptions extends PortCallOptions {
	/**
	 * Receives text of the answer as it comes, with the answer's own citation numbers. An outcome whose output is text
	 * repeats all text since the last `onReset`. With any other output the outcome counts, and the text so far is taken
	 * back. Text that is longer than an output may be ends the call and aborts its signal.
	 */
	onText(text: string): void;
	/** The text so far is not the answer after all. */
	onReset(): void;
}

/**
 * Outcome of a call to another agent. An error may have a `receipt`, too: the calls that were made before it failed.
 */
export interface AgentOutcome {
	/** Text or JSON of at most 250,000 characters. */
	readonly output: Json;
	/**
	 * Citations of the output, with its numbers, best from 1 by first appearance: final text is sent before the
	 * citations are known, and has to be sent again if they change the text. Without citations, brackets in the output
	 * are only text.
	 */
	readonly citations?: readonly Citation[];
	/**
	 * Calls of the agent, each with the `run_id` of the agent's run and the `node` of that run; for an A2A agent one
	 * row with `payer: "external"`.
	 */
	readonly receipt?: readonly ReceiptRow[];
}

/**
 * Tells whether a value keeps a JSON Schema (draft 2020-12); `errors` are sentences that a model can act on. It runs where
 * the engine does, and schemas may come from others: an implementation bounds its time, or answers with a promise. What it
 * throws or rejects with fails the node.
 */
export type SchemaValidator = (
	schema: JsonSchema,
	value: Json,
	options: PortCallOptions,
) => SchemaValidationResult | Promise<SchemaValidationResult>;

export type SchemaValidationResult =
	| { readonly valid: true }
	| { readonly valid: false; readonly errors: readonly string[] };

/** Time and chance, which the engine does not have of its own. */
export interface EngineHost {
	/** Epoch milliseconds. */
	now(): number;
	/** Calls back once after so many milliseconds, unless the function that it returns is called before. */
	setTimer(milliseconds: number, callback: () => void): () => void;
	/** `<prefix>_…`: unique and not to be guessed. */
	createId(prefix: string): string;
}
