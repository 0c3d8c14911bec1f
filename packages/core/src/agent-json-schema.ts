import * as z from "zod/v4/core";
import { FIELD_DESCRIPTIONS } from "./graph/agent-field-descriptions";
import { getAgentGraphSchemas } from "./graph/agent-graph-schema";
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "./json";

/** Rules that the schemas alone do not express, by the names that messages use for the parts. */
const ADDITIONS: Readonly<Record<string, JsonObject>> = {
	"node.tool": { dependentRequired: { auth: ["server"] } },
	"node.remote": { oneOf: [{ required: ["agentId"] }, { required: ["url"] }] },
	"edge.then.when": { oneOf: [{ required: ["equals"] }, { required: ["in"] }, { required: ["exists"] }] },
	"edge.call.mode": { default: "call" },
};

/**
 * The shape of an agent graph as JSON Schema (draft 2020-12), made from the schemas that `validateAgent` checks with:
 * what is published as `@stemma/core/agent.schema.json`. Unique ids, known nodes and cycles are beyond a JSON Schema.
 */
export function createAgentJsonSchema(): JsonSchema {
	const { graph, nodes, edges } = getAgentGraphSchemas();
	const root = convert(graph, "graph");
	const properties = isJsonObject(root.properties) ? root.properties : {};
	const coordinator = { properties: { kind: { const: "coordinator" } }, required: ["kind"] };
	return {
		$schema: "https://json-schema.org/draft/2020-12/schema",
		$id: "urn:stemma:agent-graph",
		title: "Stemma agent graph",
		description: "Nodes, and edges that are permissions: a node reaches only what an edge leads it to.",
		...root,
		properties: {
			...properties,
			nodes: {
				...describe("graph.nodes"),
				type: "array",
				items: { oneOf: toReferences("node", nodes) },
				minItems: 1,
				contains: coordinator,
				maxContains: 1,
			},
			edges: { ...describe("graph.edges"), type: "array", items: { oneOf: toReferences("edge", edges) } },
		},
		$defs: { ...toDefinitions("node", nodes), ...toDefinitions("edge", edges) },
	};
}

type Schemas = Readonly<Record<string, z.$ZodObject>>;

const toReferences = (family: string, schemas: Schemas): JsonObject[] =>
	Object.keys(schemas).map((choice) => ({ $ref: `#/$defs/${family}.${choice}` }));

const toDefinitions = (family: string, schemas: Schemas): JsonObject =>
	Object.fromEntries(
		Object.entries(schemas).map(([choice, schema]) => {
			const name = `${family}.${choice}`;
			return [name, { title: name, ...convert(schema, name) }];
		}),
	);

function convert(schema: z.$ZodObject, name: string): JsonObject {
	const { $schema: _, ...converted } = z.toJSONSchema(schema);
	// The converter gives plain JSON.
	return finalizeSchema(converted as JsonObject, name);
}

/** Adds descriptions, and takes off the bounds that stand for "a whole number of JavaScript". */
function finalizeSchema(schema: JsonObject, name: string): JsonObject {
	const { properties, ...rest } = schema;
	const keywords = Object.entries(rest).filter(
		([, value]) => Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER,
	);
	return {
		...describe(name),
		...Object.fromEntries(keywords),
		...(isJsonObject(properties) && Object.keys(properties).length > 0
			? { properties: finalizeProperties(properties, name) }
			: {}),
		...ADDITIONS[name],
	};
}

const finalizeProperties = (properties: JsonObject, owner: string): JsonObject =>
	Object.fromEntries(
		Object.entries(properties).map(([field, schema]): [string, Json] => [
			field,
			isJsonObject(schema) ? finalizeSchema(schema, `${owner}.${field}`) : schema,
		]),
	);

/** Looks up a description by the full name, or by the name without the kind or mode: `node.id` for `node.tool.id`. */
function describe(name: string): JsonObject {
	const description =
		FIELD_DESCRIPTIONS[name] ?? FIELD_DESCRIPTIONS[name.replace(/^(node|edge)\.\w+\./, "$1.")];
	return description === undefined ? {} : { description };
}
