import * as z from "zod/v4/core";

// The classes of zod's core rather than `zod/mini`: an eighth less to load for the same checks, and no `eval`, which
// workers and strict pages refuse. Messages are made in shape-message.ts: zod's global config belongs to the user.

type Shape = Readonly<Record<string, z.$ZodType>>;

const string = (...checks: z.$ZodCheck<string>[]): z.$ZodString => new z.$ZodString({ type: "string", checks });
const number = (...checks: z.$ZodCheck<number>[]): z.$ZodNumber => new z.$ZodNumber({ type: "number", checks });
const integer = (...checks: z.$ZodCheck<number>[]): z.$ZodNumberFormat =>
	new z.$ZodNumberFormat({ type: "number", check: "number_format", format: "safeint", abort: false, checks });
const literal = (value: string | true): z.$ZodLiteral => new z.$ZodLiteral({ type: "literal", values: [value] });
const array = (element: z.$ZodType, ...checks: z.$ZodCheck<unknown[]>[]): z.$ZodArray =>
	new z.$ZodArray({ type: "array", element, checks });
const optional = (innerType: z.$ZodType): z.$ZodOptional => new z.$ZodOptional({ type: "optional", innerType });
const object = (shape: Shape, catchall: z.$ZodType = nothing): z.$ZodObject =>
	new z.$ZodObject({ type: "object", shape, catchall });

const anything = /* @__PURE__ */ new z.$ZodUnknown({ type: "unknown" });
const nothing = /* @__PURE__ */ new z.$ZodNever({ type: "never" });

/** The parts of an agent graph, each a strict object. */
interface AgentGraphSchemas {
	/** The graph itself, with nodes and edges of any shape. */
	readonly graph: z.$ZodObject;
	/** What a node of each kind may have. */
	readonly nodes: Readonly<Record<string, z.$ZodObject>>;
	/** What an edge of each mode may have. */
	readonly edges: Readonly<Record<string, z.$ZodObject>>;
	/** What every node has, whatever else it has. */
	readonly anyNode: z.$ZodObject;
	/** What every edge has, whatever else it has. */
	readonly anyEdge: z.$ZodObject;
}

/** What an agent graph is made of. What goes beyond the shape of one part is in graph-rules.ts. */
export const agentGraphSchemas: AgentGraphSchemas = /* @__PURE__ */ createSchemas();

function createSchemas(): AgentGraphSchemas {
	const nonEmpty = string(z._minLength(1));
	const optionalText = optional(nonEmpty);
	const description = optional(string(z._maxLength(1024)));
	const count = optional(integer(z._gte(1)));
	const jsonObject = optional(object({}, anything));
	const url = optional(string(z._regex(/^https?:\/\/[^\s/?#]\S*$/, {})));
	const approval = optional(new z.$ZodBoolean({ type: "boolean" }));
	const auth = optional(object({ secret: nonEmpty }));

	const anyNode = {
		id: string(z._regex(/^[A-Za-z0-9_-]{1,64}$/, {})),
		description,
		position: optional(object({ x: number(), y: number() })),
		metadata: optional(anything),
	};
	const node = (kind: string, fields: Shape): z.$ZodObject => object({ kind: literal(kind), ...anyNode, ...fields });
	const model = optional(
		object({
			provider: optionalText,
			model: optionalText,
			temperature: optional(number(z._gte(0), z._lte(2))),
			maxOutputTokens: count,
		}),
	);
	const loop = { instructions: optional(string()), model, output: jsonObject, maxTurns: count };

	const ends = { from: nonEmpty, to: nonEmpty };
	const edge = (mode: string, fields: Shape = {}): z.$ZodObject => object({ ...ends, mode: literal(mode), ...fields });
	const when = optional(
		object({
			path: string(z._regex(/^(\/([^~/]|~[01])*)*$/, {})),
			equals: optional(anything),
			in: optional(array(anything, z._minLength(1))),
			exists: optional(literal(true)),
		}),
	);

	return {
		graph: object({
			name: optional(string(z._minLength(1), z._maxLength(64))),
			description,
			nodes: array(anything),
			edges: optional(array(anything)),
			limits: optional(object({ maxSteps: count, maxDepth: count, timeoutMs: count, maxTokens: count })),
		}),
		nodes: {
			coordinator: node("coordinator", loop),
			agent: node("agent", loop),
			knowledge: node("knowledge", {
				knowledgeBases: array(nonEmpty, z._minLength(1)),
				topK: optional(integer(z._gte(1), z._lte(1000))),
				minScore: optional(number(z._gte(0), z._lte(1))),
			}),
			tool: node("tool", { tool: nonEmpty, server: url, auth, arguments: jsonObject, approval }),
			remote: node("remote", { agentId: optionalText, url, auth, approval }),
		},
		edges: {
			call: edge("call", { mode: optional(literal("call")), maxCalls: count }),
			handoff: edge("handoff"),
			before: edge("before"),
			then: edge("then", { when }),
		},
		anyNode: object(anyNode, anything),
		anyEdge: object(ends, anything),
	};
}
