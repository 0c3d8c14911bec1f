import * as z from "zod/v4/core";
import { MAX_TOP_K } from "./agent-graph";
import { count, length, pattern, range } from "./zod-checks";

// The classes of zod's core rather than `zod/mini`, which is made of them: less to load for the same checks, and no
// `eval`, which workers and strict pages refuse. Messages are ours: zod's global configuration belongs to the user.

type Field = z.$ZodType;
type Shape = Readonly<Record<string, Field>>;

const string = (...checks: z.$ZodCheck<string>[]): Field => new z.$ZodString({ type: "string", checks });
const number = (...checks: z.$ZodCheck<number>[]): Field => new z.$ZodNumber({ type: "number", checks });
const literal = (value: string | true): Field => new z.$ZodLiteral({ type: "literal", values: [value] });
const array = (element: z.$ZodType, ...checks: z.$ZodCheck<unknown[]>[]): Field =>
	new z.$ZodArray({ type: "array", element, checks });
const optional = (innerType: z.$ZodType): Field => new z.$ZodOptional({ type: "optional", innerType });
const object = (shape: Shape, catchall: z.$ZodType = new z.$ZodNever({ type: "never" })): z.$ZodObject =>
	new z.$ZodObject({ type: "object", shape, catchall });

/** The parts of an agent graph, each a strict object. */
interface AgentGraphSchemas {
	/** The graph itself, with nodes and edges of any shape. */
	readonly graph: z.$ZodObject;
	/** Schemas of the nodes, by kind. */
	readonly nodes: Readonly<Record<string, z.$ZodObject>>;
	/** Schemas of the edges, by mode. */
	readonly edges: Readonly<Record<string, z.$ZodObject>>;
	/** Schema of a node of no known kind: the fields of all kinds. */
	readonly anyNode: z.$ZodObject;
	/** Schema of an edge of no known mode. */
	readonly anyEdge: z.$ZodObject;
}

let schemas: AgentGraphSchemas | undefined;

/**
 * Returns the schemas of the parts of an agent graph. Rules beyond the shape of one part are in validate/rule-issues.ts. The schemas
 * are created with the first call: creating them takes as long as loading this package, and a program that only imports
 * it does not need them.
 */
export function getAgentGraphSchemas(): AgentGraphSchemas {
	schemas ??= createSchemas();
	return schemas;
}

function createSchemas(): AgentGraphSchemas {
	const anything = new z.$ZodUnknown({ type: "unknown" });
	const text = string(length());
	const optionalText = optional(text);
	const description = optional(string(length(1024, 0)));
	const positive = optional(number(count()));
	return {
		graph: object({
			$schema: optionalText,
			name: optional(string(length(64))),
			description,
			nodes: array(anything),
			edges: optional(array(anything)),
			limits: optional(
				object({ maxSteps: positive, maxDepth: positive, timeoutMs: positive, maxTokens: positive }),
			),
		}),
		...createNodeSchemas(anything, text, optionalText, description, positive),
		...createEdgeSchemas(anything, text, positive),
	};
}

const ADDRESS_RULE =
	"Must be an address that begins with http:// or https://, without spaces, user name and fragment";

function createNodeSchemas(
	anything: Field,
	text: Field,
	optionalText: Field,
	description: Field,
	positive: Field,
): Pick<AgentGraphSchemas, "nodes" | "anyNode"> {
	const jsonObject = optional(object({}, anything));
	const url = optional(string(pattern(/^https?:\/\/[^\s/?#@\\]+(?:[/?][^\s#]*)?$/, ADDRESS_RULE, false)));
	const approval = optional(new z.$ZodBoolean({ type: "boolean" }));
	const auth = optional(object({ secret: text }));
	const common = {
		id: string(pattern(/^[A-Za-z0-9_-]{1,64}$/, 'Must be 1 to 64 letters, digits, "_" or "-"')),
		description,
		position: optional(object({ x: number(), y: number() })),
		metadata: optional(anything),
	};
	const model = optional(
		object({
			provider: optionalText,
			model: optionalText,
			temperature: optional(number(range(0, 2))),
			maxOutputTokens: positive,
		}),
	);
	const modelNode = { instructions: optional(string()), model, output: jsonObject, maxTurns: positive };
	const retrieval = {
		topK: optional(number(count(), range(1, MAX_TOP_K))),
		minScore: optional(number(range(0, 1))),
		filter: jsonObject,
	};
	const node = (kind: string, fields: Shape): z.$ZodObject =>
		object({ kind: literal(kind), ...common, ...fields });
	return {
		nodes: {
			coordinator: node("coordinator", modelNode),
			agent: node("agent", modelNode),
			knowledge: node("knowledge", { knowledgeBases: array(text, length()), ...retrieval }),
			tool: node("tool", { tool: text, server: url, auth, arguments: jsonObject, approval }),
			remote: node("remote", { agentId: optionalText, url, auth, approval }),
		},
		anyNode: object({
			...common,
			...modelNode,
			...retrieval,
			kind: optional(anything),
			knowledgeBases: optional(anything),
			tool: optionalText,
			agentId: optionalText,
			auth,
			arguments: jsonObject,
			approval,
			server: url,
			url,
		}),
	};
}

function createEdgeSchemas(
	anything: Field,
	text: Field,
	positive: Field,
): Pick<AgentGraphSchemas, "edges" | "anyEdge"> {
	const endpoints = { from: text, to: text };
	const edge = (mode: string, fields: Shape = {}): z.$ZodObject =>
		object({ ...endpoints, mode: literal(mode), ...fields });
	const when = optional(
		object({
			path: string(pattern(/^(\/([^~/]|~[01])*)*$/, 'Must be a JSON Pointer such as "/sentiment", or ""')),
			equals: optional(anything),
			in: optional(array(anything, length())),
			exists: optional(literal(true)),
		}),
	);
	return {
		edges: {
			call: edge("call", { mode: optional(literal("call")), maxCalls: positive }),
			handoff: edge("handoff"),
			before: edge("before"),
			// biome-ignore lint/suspicious/noThenProperty: a mode of edges; the object is never awaited.
			then: edge("then", { when }),
		},
		anyEdge: object({ ...endpoints, mode: optional(anything), maxCalls: positive, when }),
	};
}
