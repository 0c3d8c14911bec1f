import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import { createAgentJsonSchema } from "./agent-json-schema";
import { isJsonObject } from "./json";
import { validateAgent } from "./validate/validate-agent";

const schema = createAgentJsonSchema();
const validator = new Validator(schema as Schema, "2020-12");

const desk = { id: "desk", kind: "coordinator" };
const edge = (fields: object): unknown => ({
	nodes: [desk, { id: "b", kind: "agent" }],
	edges: [{ from: "desk", to: "b", ...fields }],
});
const node = (fields: object): unknown => ({ nodes: [desk, { id: "x", ...fields }] });
const guard = (fields: object): unknown => edge({ mode: "then", when: { path: "/a", ...fields } });

const cases: Record<string, [unknown, boolean]> = {
	"the smallest graph": [{ nodes: [desk] }, true],
	"all of a model node": [
		node({
			kind: "agent",
			instructions: "i",
			model: { provider: "p", model: "m", temperature: 2, maxOutputTokens: 9 },
			output: { a: [1] },
			maxTurns: 3,
			metadata: null,
			position: { x: 0.5, y: -1 },
		}),
		true,
	],
	limits: [{ nodes: [desk], limits: { maxSteps: 1, maxDepth: 2, timeoutMs: 3, maxTokens: 4 } }, true],
	"a limit of zero": [{ nodes: [desk], limits: { maxSteps: 0 } }, false],
	"half a limit": [{ nodes: [desk], limits: { maxSteps: 1.5 } }, false],
	"no nodes": [{ nodes: [] }, false],
	"no coordinator": [{ nodes: [{ id: "a", kind: "agent" }] }, false],
	"two coordinators": [{ nodes: [desk, { ...desk, id: "b" }] }, false],
	"an empty object": [{}, false],
	"no object": [[], false],
	"an unknown field": [{ nodes: [desk], nodez: [] }, false],
	"a long name": [{ name: "x".repeat(65), nodes: [desk] }, false],
	"an unknown kind": [node({ kind: "x" }), false],
	"a bad id": [{ nodes: [{ ...desk, id: "a b" }] }, false],
	"a foreign field": [node({ kind: "agent", topK: 1 }), false],
	knowledge: [
		node({ kind: "knowledge", knowledgeBases: ["a"], topK: 100, minScore: 0, filter: { a: 1 } }),
		true,
	],
	"a filter that is text": [node({ kind: "knowledge", knowledgeBases: ["a"], filter: "a" }), false],
	"no knowledge bases": [node({ kind: "knowledge", knowledgeBases: [] }), false],
	"too many passages": [node({ kind: "knowledge", knowledgeBases: ["a"], topK: 101 }), false],
	"a tool in code": [node({ kind: "tool", tool: "t", arguments: { a: 1 }, approval: true }), true],
	"a tool of a server": [
		node({ kind: "tool", tool: "t", server: "https://a.b/mcp", auth: { secret: "s" } }),
		true,
	],
	"a secret without a server": [node({ kind: "tool", tool: "t", auth: { secret: "s" } }), false],
	"a server of another scheme": [node({ kind: "tool", tool: "t", server: "ftp://a.b" }), false],
	"an agent of the service": [node({ kind: "remote", agentId: "a" }), true],
	"an A2A agent": [node({ kind: "remote", url: "http://a.b", auth: { secret: "s" } }), true],
	"no remote agent": [node({ kind: "remote" }), false],
	"two remote agents": [node({ kind: "remote", agentId: "a", url: "http://a.b" }), false],
	"a call": [edge({}), true],
	"a call with maxCalls": [edge({ mode: "call", maxCalls: 1 }), true],
	"a handoff with maxCalls": [edge({ mode: "handoff", maxCalls: 1 }), false],
	"a guard on a call": [edge({ when: { path: "", exists: true } }), false],
	"an unknown mode": [edge({ mode: "calls" }), false],
	"an edge without an end": [{ nodes: [desk], edges: [{ from: "desk" }] }, false],
	"equals null": [guard({ equals: null }), true],
	in: [guard({ in: [1] }), true],
	"in nothing": [guard({ in: [] }), false],
	exists: [guard({ exists: true }), true],
	"exists: false": [guard({ exists: false }), false],
	"no test": [guard({}), false],
	"two tests": [guard({ equals: 1, in: [1] }), false],
	"a bad pointer": [guard({ path: "a", exists: true }), false],
};

describe("agrees with validateAgent", () => {
	test.each(Object.entries(cases))("%s", (_, [graph, valid]) => {
		expect(validator.validate(graph).valid).toBe(valid);
		expect(validateAgent(graph).success).toBe(valid);
	});
});

function* walk(value: unknown): Generator<{ readonly [key: string]: unknown }> {
	if (isJsonObject(value)) yield value;
	if (typeof value === "object" && value !== null)
		for (const inner of Object.values(value)) yield* walk(inner);
}

test("has a head, and no bounds that only JavaScript has", () => {
	expect(schema).toMatchObject({
		$schema: "https://json-schema.org/draft/2020-12/schema",
		$id: expect.stringMatching(/./),
		title: expect.stringMatching(/./),
		description: expect.stringMatching(/./),
	});
	expect(JSON.stringify(schema)).not.toContain(String(Number.MAX_SAFE_INTEGER));
	expect(JSON.parse(JSON.stringify(schema))).toStrictEqual(schema);
});

test("every field has a description", () => {
	const properties = [...walk(schema)].flatMap((part) =>
		isJsonObject(part.properties) ? Object.entries(part.properties) : [],
	);
	const bare = properties.filter(
		([name, field]) => isJsonObject(field) && !("description" in field) && !["x", "y"].includes(name),
	);
	expect(bare.filter(([, field]) => JSON.stringify(field) !== '{"const":"coordinator"}')).toEqual([]);
});

test("every reference leads somewhere", () => {
	const defined = Object.keys(schema.$defs ?? {}).map((name) => `#/$defs/${name}`);
	const references = [...walk(schema)].flatMap((part) => ("$ref" in part ? [part.$ref] : []));
	expect(references.sort()).toEqual(defined.sort());
});
