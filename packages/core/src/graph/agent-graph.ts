import type { Json, JsonObject, JsonSchema } from "../json";

/**
 * An agent graph: nodes, and edges that are permissions. A node reaches another node, a knowledge base, a tool or a
 * remote agent only along an edge; no prompt can widen that.
 *
 * @typeParam Id - the literal node ids, when the graph is written in code: an edge to any other id does not compile.
 */
export interface AgentGraph<Id extends string = string> {
	/** Address of `agent.schema.json`, for editors. It is kept unchanged. */
	readonly $schema?: string;
	/** 1 to 64 characters. */
	readonly name?: string;
	/** Description of the agent, at most 1,024 characters. */
	readonly description?: string;
	/** Nodes of the graph; exactly one is the coordinator. */
	readonly nodes: readonly AgentNode<Id>[];
	/** Default: none. */
	readonly edges?: readonly AgentEdge<NoInfer<Id>>[];
	/** Limits of a run; the lower of these and the operator's limits applies. */
	readonly limits?: RunLimits;
}

/** A node turns a value into a value; what it may reach is told by its edges. */
export type AgentNode<Id extends string = string> =
	| CoordinatorNode<Id>
	| SpecialistNode<Id>
	| KnowledgeNode<Id>
	| ToolNode<Id>
	| RemoteNode<Id>;

/** The five kinds of node. */
export type NodeKind = AgentNode["kind"];

interface NodeBase<Id extends string> {
	/** `[A-Za-z0-9_-]{1,64}`, unique in the graph. It is also the name of the tool that models see. */
	readonly id: Id;
	/**
	 * Description that models read when they decide whether to call this node. At most 1,024 characters, the limit of
	 * the vendors.
	 */
	readonly description?: string;
	/** Position at which an editor draws the node; kept as it is. */
	readonly position?: { readonly x: number; readonly y: number };
	/** Free JSON of your own; kept as it is. */
	readonly metadata?: Json;
}

interface ModelNodeBase<Id extends string> extends NodeBase<Id> {
	/**
	 * The whole system message. `{{context.path}}` is filled from the run's context with scalars of at most 500
	 * characters, written as JSON; a missing value ends the run at its start.
	 */
	readonly instructions?: string;
	/** Model that answers. Default: the model of the person or service that runs the graph. */
	readonly model?: ModelChoice;
	/**
	 * JSON Schema of the node's own text, which must then be JSON. The model gets one repair turn, then the node fails.
	 */
	readonly output?: JsonSchema;
	/** Model turns of one invocation; 1 or more, default 8. In the last one no calls are offered. */
	readonly maxTurns?: number;
}

/** The one entry of the graph: receives the run's input and gives the run's output. */
export interface CoordinatorNode<Id extends string = string> extends ModelNodeBase<Id> {
	readonly kind: "coordinator";
}

/** A specialist: a loop of model turns over what it is given. */
export interface SpecialistNode<Id extends string = string> extends ModelNodeBase<Id> {
	readonly kind: "agent";
}

/** Retrieves passages; makes no model turns of its own. */
export interface KnowledgeNode<Id extends string = string> extends NodeBase<Id> {
	readonly kind: "knowledge";
	/** Ids, one or more. */
	readonly knowledgeBases: readonly [string, ...string[]];
	/** Most passages to return; 1 to 1,000, default 8. */
	readonly topK?: number;
	/** The least relevance, 0 to 1. Refused before the run where no scoring stage runs. */
	readonly minScore?: number;
	/** Metadata values that a document must have to be searched: `{ "language": "en" }`. */
	readonly filter?: JsonObject;
}

/** Calls one tool: of an MCP server (`server`), or one registered in code under that name (no `server`). */
export type ToolNode<Id extends string = string> = McpToolNode<Id> | CodeToolNode<Id>;

interface ToolNodeBase<Id extends string> extends NodeBase<Id> {
	readonly kind: "tool";
	/** The tool's name, as its server or the code names it. */
	readonly tool: string;
	/** Preset arguments: they override the caller's, and models do not see them. */
	readonly arguments?: JsonObject;
	/** Pause for a person before each call. Default false. */
	readonly approval?: boolean;
}

/** A tool of an MCP server. */
export interface McpToolNode<Id extends string = string> extends ToolNodeBase<Id> {
	/** The server's address, http or https. */
	readonly server: string;
	readonly auth?: SecretReference;
}

/** A tool that the program which runs the graph has registered. */
export interface CodeToolNode<Id extends string = string> extends ToolNodeBase<Id> {
	readonly server?: never;
	readonly auth?: never;
}

/** Runs another agent: one of the service (`agentId`), or any A2A agent (`url`). */
export type RemoteNode<Id extends string = string> = ServiceAgentNode<Id> | A2aAgentNode<Id>;

interface RemoteNodeBase<Id extends string> extends NodeBase<Id> {
	readonly kind: "remote";
	readonly auth?: SecretReference;
	/** Pause for a person before each call. Default false. */
	readonly approval?: boolean;
}

/** An agent of the service, by id or slug. */
export interface ServiceAgentNode<Id extends string = string> extends RemoteNodeBase<Id> {
	readonly agentId: string;
	readonly url?: never;
}

/** Any agent that speaks A2A 1.0, by its address: what stands before `/.well-known/agent-card.json`. */
export interface A2aAgentNode<Id extends string = string> extends RemoteNodeBase<Id> {
	readonly url: string;
	readonly agentId?: never;
}

/**
 * Names a secret, never holds it: in process and in the runtime the variable `STEMMA_TOOL_<NAME>` (upper case, other
 * characters `_`) or the option `secrets`; in the service a sealed secret of the workspace.
 */
export interface SecretReference {
	readonly secret: string;
}

/** A request for a certain model; whoever runs the graph decides whether it may be had and who pays. */
export interface ModelChoice {
	/** The API format of a provider, such as `openai-compatible` or `bedrock`. */
	readonly provider?: string;
	/** The model as its endpoint names it. */
	readonly model?: string;
	/** 0 to 2. */
	readonly temperature?: number;
	/** Tokens, 1 or more. */
	readonly maxOutputTokens?: number;
}

/** Edge between two nodes: what one may do with the other. */
export type AgentEdge<Id extends string = string> =
	| CallEdge<Id>
	| HandoffEdge<Id>
	| BeforeEdge<Id>
	| ThenEdge<Id>;

/** The four modes of an edge. */
export type EdgeMode = "call" | "handoff" | "before" | "then";

interface EdgeBase<Id extends string> {
	/** The id of the node that gets the permission. */
	readonly from: Id;
	/** The id of the node that it may reach. */
	readonly to: Id;
}

/** Function call: the model of `from` may call `to`, several at once; the result comes back to it. */
export interface CallEdge<Id extends string = string> extends EdgeBase<Id> {
	readonly mode?: "call";
	/** Calls of one invocation of `from`; 1 or more. Default: no limit but the run's. */
	readonly maxCalls?: number;
}

/** Handoff: the model of `from` may hand over to `to`, whose value becomes that of `from`. */
export interface HandoffEdge<Id extends string = string> extends EdgeBase<Id> {
	readonly mode: "handoff";
}

/** Prefetch: `to` runs with the input of `from` before its first turn; the output is in its context. */
export interface BeforeEdge<Id extends string = string> extends EdgeBase<Id> {
	readonly mode: "before";
}

/**
 * Continuation: after `from` ends, `to` runs with its output, and the value of `to` becomes that of `from`. The `then`
 * edges of a node are all plain (several: an object keyed by node id), or a switch: each with `when`, the first that
 * holds is taken, a plain one in last place is the else.
 */
export interface ThenEdge<Id extends string = string> extends EdgeBase<Id> {
	readonly mode: "then";
	readonly when?: Guard;
}

/** A test of a node's output. `path` is a JSON Pointer (RFC 6901) into it, `""` the whole of it. */
export type Guard =
	| { readonly path: string; readonly equals: Json; readonly in?: never; readonly exists?: never }
	| { readonly path: string; readonly in: readonly Json[]; readonly equals?: never; readonly exists?: never }
	| { readonly path: string; readonly exists: true; readonly equals?: never; readonly in?: never };

/** Limits of a run. Reaching one ends the run in order, and the result has what was done so far. */
export interface RunLimits {
	/** Steps: an invocation of a node or a model turn is one. Default 64. */
	readonly maxSteps?: number;
	/** Deepest nesting of calls; a deeper call gives its caller an error result. Default 8. */
	readonly maxDepth?: number;
	/** Running time in milliseconds; waiting for approval does not count. Default 120,000. */
	readonly timeoutMs?: number;
	/** Input and output tokens of all model calls. Default: no limit. */
	readonly maxTokens?: number;
}

/** A node whose kind is `coordinator` or `agent`: the kinds that make model turns. */
export type ModelNode<Id extends string = string> = CoordinatorNode<Id> | SpecialistNode<Id>;

/** True for the kinds that make model turns: `coordinator` and `agent`. */
export function isModelNode<Id extends string>(node: AgentNode<Id>): node is ModelNode<Id> {
	return node.kind === "coordinator" || node.kind === "agent";
}

/** The limits of a run whose graph and operator name none. */
export const DEFAULT_LIMITS = { maxSteps: 64, maxDepth: 8, timeoutMs: 120_000 } as const;

/** Model turns of one invocation, where `maxTurns` is left out. */
export const DEFAULT_MAX_TURNS = 8;

/** Passages of one retrieval, where `topK` is left out. */
export const DEFAULT_TOP_K = 8;

/** Most passages of one retrieval: of a knowledge node, and of a search of the service. */
export const MAX_TOP_K = 100;
