import { describe, expect, test } from "vitest";
import type { AgentGraphIssue } from "../errors";
import { validateAgent } from "./validate-agent";

const desk = { id: "desk", kind: "coordinator" };
const billing = { id: "billing", kind: "agent" };
const handbook = { id: "handbook", kind: "knowledge", knowledgeBases: ["kb_1"] };
const refund = { id: "refund", kind: "tool", tool: "refund_order" };
const legal = { id: "legal", kind: "remote", agentId: "ag_legal" };
const nodes = [desk, billing, handbook, refund, legal];

const issuesOf = (graph: unknown): readonly AgentGraphIssue[] => {
	const validation = validateAgent(graph);
	return validation.success ? [] : validation.error.issues;
};
const codesOf = (graph: unknown): string[] =>
	issuesOf(graph).map(({ code, path }) => `${code} ${path.join(".")}`);
const linesOf = (graph: unknown): string[] =>
	issuesOf(graph).map(({ path, message }) => `${path.join(".")}: ${message}`);

const edge = (from: string, to: string, rest: object = {}): object => ({ from, to, ...rest });
const then = (from: string, to: string, when?: object): object =>
	edge(from, to, { mode: "then", ...(when === undefined ? {} : { when }) });
const guard = { path: "/done", equals: true };

test("a node or edge of no known sort is checked for the rest all the same", () => {
	const broken = {
		nodes: [desk, { id: "a", kind: "agnt", maxTurn: 3, tool: "", knowledgeBases: [] }],
		edges: [edge("desk", "a", { mode: "cal", maxCall: 1, maxCalls: 0 })],
	};
	expect(codesOf(broken)).toEqual([
		"invalid_shape nodes.1.kind",
		"invalid_shape nodes.1.tool",
		"invalid_shape nodes.1.maxTurn",
		"invalid_shape edges.0.mode",
		"invalid_shape edges.0.maxCalls",
		"invalid_shape edges.0.maxCall",
	]);
});

test("an endless cycle is told at an edge of it, and named from there", () => {
	const edges = [
		edge("desk", "billing", { mode: "before" }),
		then("billing", "legal"),
		then("legal", "billing"),
		then("billing", "desk"),
	];
	expect(linesOf({ nodes, edges })).toEqual([
		expect.stringMatching(/^edges\.0: .*"desk" → "billing" → "desk"/),
	]);
});

describe("accepts", () => {
	const accepted: Record<string, unknown> = {
		"the smallest graph": { nodes: [desk] },
		"the address of a schema, as editors want it": { $schema: "./agent.schema.json", nodes: [desk] },
		"every field": {
			name: "support-desk",
			description: "Answers",
			nodes: [
				{
					...desk,
					description: "d",
					position: { x: -1.5, y: 0 },
					metadata: [null, { a: 1 }],
					instructions: "",
					model: { provider: "bedrock", model: "m", temperature: 0, maxOutputTokens: 1 },
					output: { type: "object" },
					maxTurns: 1,
				},
				{ ...handbook, topK: 100, minScore: 1, filter: { language: "en", year: 2026 } },
				{
					...refund,
					server: "https://a.example/mcp?as=b@c",
					auth: { secret: "s" },
					arguments: {},
					approval: true,
				},
				{ id: "a2a", kind: "remote", url: "http://localhost:1", auth: { secret: "s" }, approval: false },
			],
			edges: [
				edge("desk", "refund", { mode: "call", maxCalls: 3 }),
				edge("desk", "a2a", { mode: "handoff" }),
			],
			limits: { maxSteps: 1, maxDepth: 1, timeoutMs: 1, maxTokens: 1 },
		},
		"edges of several modes between the same nodes": {
			nodes,
			edges: [
				...["call", "before", "then"].map((mode) => edge("desk", "billing", { mode })),
				...["handoff", "before", "then"].map((mode) => edge("desk", "legal", { mode })),
			],
		},
		"then from every kind": { nodes, edges: nodes.slice(1).map(({ id }) => then(id, "desk", guard)) },
		"cycles through calls and handoffs": {
			nodes,
			edges: [edge("desk", "billing"), edge("billing", "desk", { mode: "handoff" })],
		},
		"a cycle with a guard": { nodes, edges: [then("desk", "billing"), then("billing", "desk", guard)] },
		"a cycle over the else of a switch": {
			nodes,
			edges: [then("desk", "billing"), then("billing", "handbook", guard), then("billing", "desk")],
		},
		"a switch with an else in last place": {
			nodes,
			edges: [then("desk", "billing", guard), then("desk", "legal", guard), then("desk", "handbook")],
		},
		"several plain continuations": { nodes, edges: [then("desk", "billing"), then("desk", "legal")] },
		"guards of each sort": {
			nodes,
			edges: [
				then("desk", "billing", { path: "", equals: null }),
				then("desk", "legal", { path: "/a~0b/~1c/0", in: [1, "x", null] }),
				then("desk", "handbook", { path: "/a", exists: true }),
			],
		},
		"names that are also members of objects": {
			nodes: [desk, { id: "constructor", kind: "agent" }, { id: "toString", kind: "agent" }],
			edges: [edge("desk", "constructor"), edge("desk", "toString")],
		},
	};
	test.each(Object.entries(accepted))("%s", (_, graph) => expect(linesOf(graph)).toEqual([]));
});

describe("refuses", () => {
	const refused: Record<string, [unknown, string[]]> = {
		"no nodes": [{ nodes: [] }, ["empty_graph nodes"]],
		"no list of nodes": [{}, ["invalid_shape nodes"]],
		"nodes by name": [{ nodes: { desk } }, ["invalid_shape nodes"]],
		"no coordinator": [{ nodes: [billing] }, ["coordinator_count nodes"]],
		"two coordinators": [{ nodes: [desk, { ...desk, id: "b" }] }, ["coordinator_count nodes"]],
		"an id twice": [{ nodes: [desk, billing, billing] }, ["duplicate_node_id nodes.2.id"]],
		"an id three times": [
			{ nodes: [desk, billing, billing, billing] },
			["duplicate_node_id nodes.2.id", "duplicate_node_id nodes.3.id"],
		],
		"unknown ends": [
			{ nodes, edges: [edge("x", "y")] },
			["unknown_node edges.0.from", "unknown_node edges.0.to"],
		],
		"an edge to itself": [{ nodes, edges: [edge("desk", "desk")] }, ["self_loop edges.0"]],
		"an endless edge to itself": [{ nodes, edges: [then("desk", "desk")] }, ["self_loop edges.0"]],
		"the same edge, mode left out and written": [
			{ nodes, edges: [edge("desk", "legal"), edge("desk", "legal", { mode: "call", maxCalls: 2 })] },
			["duplicate_edge edges.1"],
		],
		"a call from knowledge": [{ nodes, edges: [edge("handbook", "desk")] }, ["edge_not_allowed edges.0"]],
		"a handoff from a tool": [
			{ nodes, edges: [edge("refund", "desk", { mode: "handoff" })] },
			["edge_not_allowed edges.0"],
		],
		"a call and a handoff between the same nodes": [
			{
				nodes,
				edges: [
					edge("desk", "billing", { mode: "handoff" }),
					edge("desk", "legal"),
					edge("billing", "desk"),
					edge("desk", "billing", { maxCalls: 2 }),
					edge("desk", "legal", { mode: "handoff" }),
				],
			},
			["edge_not_allowed edges.3", "edge_not_allowed edges.4"],
		],
		"a prefetch from a remote": [
			{ nodes, edges: [edge("legal", "desk", { mode: "before" })] },
			["edge_not_allowed edges.0"],
		],
		"a plain continuation before a guarded one": [
			{ nodes, edges: [then("desk", "billing"), then("desk", "legal", guard)] },
			["edge_not_allowed edges.0"],
		],
		"two elses": [
			{ nodes, edges: [then("desk", "billing", guard), then("desk", "legal"), then("desk", "refund")] },
			["edge_not_allowed edges.1"],
		],
		"two endless cycles": [
			{
				nodes,
				edges: [
					edge("desk", "billing", { mode: "before" }),
					then("handbook", "legal"),
					edge("billing", "desk", { mode: "before" }),
					then("legal", "handbook"),
				],
			},
			["endless_cycle edges.0", "endless_cycle edges.1"],
		],
		"a remote with no target": [{ nodes: [desk, { id: "r", kind: "remote" }] }, ["invalid_shape nodes.1"]],
		"a remote with both targets": [
			{ nodes: [desk, { ...legal, url: "https://a.b" }] },
			["invalid_shape nodes.1"],
		],
		"a secret for a tool in code": [
			{ nodes: [desk, { ...refund, auth: { secret: "s" } }] },
			["invalid_shape nodes.1.auth"],
		],
		"a guard with no test": [
			{ nodes, edges: [then("desk", "legal", { path: "" })] },
			["invalid_shape edges.0.when"],
		],
		"a guard with two tests": [
			{ nodes, edges: [then("desk", "legal", { path: "", equals: 1, exists: true })] },
			["invalid_shape edges.0.when"],
		],
		"a guard that is none": [
			{ nodes, edges: [edge("desk", "legal", { mode: "then", when: 5 })] },
			["invalid_shape edges.0.when"],
		],
	};
	test.each(Object.entries(refused))("%s", (_, [graph, codes]) => expect(codesOf(graph)).toEqual(codes));

	const node = (fields: object): unknown => ({ nodes: [desk, { id: "x", ...fields }] });
	const shapes: Record<string, [unknown, string]> = {
		"a name that is too long": [{ name: "x".repeat(65), nodes: [desk] }, "name"],
		"an empty name": [{ name: "", nodes: [desk] }, "name"],
		"a description that is too long": [{ description: "x".repeat(1025), nodes: [desk] }, "description"],
		"an unknown field of the graph": [{ nodes: [desk], edgs: [] }, "edgs"],
		"an unknown limit": [{ nodes: [desk], limits: { maxStep: 1 } }, "limits.maxStep"],
		"a limit of zero": [{ nodes: [desk], limits: { maxSteps: 0 } }, "limits.maxSteps"],
		"half a limit": [{ nodes: [desk], limits: { maxSteps: 1.5 } }, "limits.maxSteps"],
		"edges that are no list": [{ nodes: [desk], edges: {} }, "edges"],
		"a node that is none": [{ nodes: [desk, null] }, "nodes.1"],
		"a node that is text": [{ nodes: [desk, "x"] }, "nodes.1"],
		"an unknown kind": [node({ kind: "agnt" }), "nodes.1.kind"],
		"a kind from the prototype": [node({ kind: "constructor" }), "nodes.1.kind"],
		"a missing kind": [node({}), "nodes.1.kind"],
		"a missing id": [{ nodes: [desk, { kind: "agent" }] }, "nodes.1.id"],
		"an id with a space": [node({ kind: "agent", id: "a b" }), "nodes.1.id"],
		"an id that is too long": [node({ kind: "agent", id: "x".repeat(65) }), "nodes.1.id"],
		"a foreign field": [node({ kind: "agent", topK: 3 }), "nodes.1.topK"],
		"a field from the prototype": [node({ kind: "agent", toString: 3 }), "nodes.1.toString"],
		"no knowledge bases": [node({ kind: "knowledge", knowledgeBases: [] }), "nodes.1.knowledgeBases"],
		"missing knowledge bases": [node({ kind: "knowledge" }), "nodes.1.knowledgeBases"],
		"too many passages": [node({ ...handbook, topK: 101 }), "nodes.1.topK"],
		"a score above 1": [node({ ...handbook, minScore: 1.1 }), "nodes.1.minScore"],
		"a filter that is a list": [node({ ...handbook, filter: [] }), "nodes.1.filter"],
		"a filter of another kind": [node({ kind: "agent", filter: {} }), "nodes.1.filter"],
		"no tool": [node({ kind: "tool" }), "nodes.1.tool"],
		"a server without a scheme": [node({ ...refund, server: "a.example" }), "nodes.1.server"],
		"a server with a space": [node({ ...refund, server: "https://a b" }), "nodes.1.server"],
		"a server with a user name": [
			node({ ...refund, server: "https://ada:word@a.example/mcp" }),
			"nodes.1.server",
		],
		"a server with a user name behind a backslash": [
			node({ ...refund, server: "https://good.example\\@evil.example" }),
			"nodes.1.server",
		],
		"a server with a fragment": [node({ ...refund, server: "https://a.example/mcp#part" }), "nodes.1.server"],
		"arguments in a list": [node({ ...refund, arguments: [] }), "nodes.1.arguments"],
		"a secret that is not named": [node({ ...legal, auth: "sk-1" }), "nodes.1.auth"],
		"half a position": [node({ kind: "agent", position: { x: 1 } }), "nodes.1.position.y"],
		"a temperature of 3": [node({ kind: "agent", model: { temperature: 3 } }), "nodes.1.model.temperature"],
		"an edge that is none": [{ nodes: [desk], edges: [7] }, "edges.0"],
		"an edge without an end": [{ nodes: [desk], edges: [{ from: "desk" }] }, "edges.0.to"],
		"an unknown mode": [{ nodes, edges: [edge("desk", "legal", { mode: "cal" })] }, "edges.0.mode"],
		"a mode that is null": [{ nodes, edges: [edge("desk", "legal", { mode: null })] }, "edges.0.mode"],
		"a guard on a call": [{ nodes, edges: [edge("desk", "legal", { when: guard })] }, "edges.0.when"],
		"no calls at all": [{ nodes, edges: [edge("desk", "legal", { maxCalls: 0 })] }, "edges.0.maxCalls"],
		"a path without a slash": [
			{ nodes, edges: [then("desk", "legal", { ...guard, path: "a" })] },
			"edges.0.when.path",
		],
		"a path with a bad escape": [
			{ nodes, edges: [then("desk", "legal", { ...guard, path: "/~2" })] },
			"edges.0.when.path",
		],
		"exists: false": [
			{ nodes, edges: [then("desk", "legal", { path: "", exists: false })] },
			"edges.0.when.exists",
		],
	};
	test.each(Object.entries(shapes))("%s", (_, [graph, path]) =>
		expect(codesOf(graph).filter((line) => line.startsWith("invalid_shape"))).toEqual([
			`invalid_shape ${path}`,
		]),
	);
});

test("lists everything at once, in document order", () => {
	const graph = {
		edges: [edge("desk", "desk"), edge("desk", "nobody", { max: 1 })],
		nodes: [
			{ ...billing, id: "a b", maxTurns: 0 },
			desk,
			{ ...desk, knowledgeBases: [] },
			{ id: "b!", kind: "x" },
		],
		nodez: 1,
	};
	expect(codesOf(graph)).toEqual([
		"self_loop edges.0",
		"invalid_shape edges.1.max",
		"unknown_node edges.1.to",
		"coordinator_count nodes",
		"invalid_shape nodes.0.id",
		"invalid_shape nodes.0.maxTurns",
		"invalid_shape nodes.2.knowledgeBases",
		"duplicate_node_id nodes.2.id",
		"invalid_shape nodes.3.kind",
		"invalid_shape nodes.3.id",
		"invalid_shape nodez",
	]);
});

test("messages tell what to do", () => {
	const lines = linesOf({
		name: 5,
		nodes: [
			{ ...desk, modle: {}, topK: 3, model: { modle: "m" }, position: { x: "1", y: 0 } },
			{ id: "billing", kind: "agnt", maxTurns: 0 },
			{ ...handbook, knowledgeBases: [], topK: 1.5, minScore: 2 },
			{ ...legal, agentId: undefined, auth: "sk-secret" },
		],
		edges: [
			edge("desk", "biling"),
			edge("desk", "somebody-else"),
			edge("desk", "legal", { maxcalls: 3 }),
			edge("desk", "legal", { source: 3 }),
			edge("handbook", "legal"),
			then("billing", "desk"),
			edge("desk", "billing", { mode: "before" }),
			then("desk", "legal", {}),
		],
	});
	expect(lines).toMatchInlineSnapshot(`
		[
		  "name: Expected a string, got 5.",
		  "nodes.0.position.x: Expected a number, got a string.",
		  "nodes.0.model.modle: Not a field of "model". Did you mean "model"?",
		  "nodes.0.modle: Not a field of a node of kind "coordinator". Did you mean "model"?",
		  "nodes.0.topK: Not a field of a node of kind "coordinator"; it belongs to "knowledge".",
		  "nodes.1.kind: Expected one of "coordinator", "agent", "knowledge", "tool", "remote", got "agnt". Did you mean "agent"?",
		  "nodes.1.maxTurns: Must be a whole number, 1 or more, got 0.",
		  "nodes.2.knowledgeBases: Must not be empty.",
		  "nodes.2.topK: Must be a whole number, 1 or more, got 1.5.",
		  "nodes.2.minScore: Must be 0 to 1, got 2.",
		  "nodes.3.auth: Expected { "secret": … }, got a string.",
		  "nodes.3: A remote node has exactly one of "agentId" and "url"; this one has neither.",
		  "edges.0.to: No node has the id "biling". Did you mean "billing"?",
		  "edges.1.to: No node has the id "somebody-else". Add that node, or remove the edge.",
		  "edges.2.maxcalls: Not a field of an edge of mode "call". Did you mean "maxCalls"?",
		  "edges.3.source: Not a field of an edge of mode "call". Its fields are from, to, mode, maxCalls.",
		  "edges.3: The same as edges[2]: "call" from "desk" to "legal". Keep one of them.",
		  "edges.4: A "call" edge leaves only from a coordinator or an agent; "handbook" is of kind "knowledge". Only "then" leaves from every kind.",
		  "edges.5: Only "before" and unguarded "then" edges form this cycle, so it can never end: give a "then" edge of it a "when", or remove an edge. "billing" → "desk" → "billing"",
		  "edges.7.when.path: Missing: a string is required.",
		  "edges.7.when: A guard has exactly one of "equals", "in" and "exists"; this one has none.",
		]
	`);
});

test("members of every object are no fields", () => {
	const [line] = linesOf({ nodes: [{ ...desk, toString: 1 }] });
	expect(line).toMatch(/^nodes\.0\.toString: Not a field of a node of kind "coordinator"\. Its fields are /);
});

test("suggests a name for the first 20 unknown nodes only, for each of their edges", () => {
	const names = Array.from({ length: 30 }, (_, index) => `billing${index}`);
	const edges = names.flatMap((name) => [edge("desk", name), edge("legal", name, { mode: "then" })]);
	const hinted = issuesOf({ nodes, edges }).filter(({ message }) =>
		message.includes('Did you mean "billing"?'),
	);
	expect(hinted.map(({ path }) => path[1]).filter((index) => Number(index) >= 40)).toEqual([]);
	expect(hinted).toHaveLength(40);
});

test("the message alone reads well", () => {
	const validation = validateAgent({
		name: "support desk",
		nodes: [desk, { id: "billing", kind: "agnt" }],
		edges: [edge("desk", "biling")],
	});
	expect(validation.success || validation.error.message).toMatchInlineSnapshot(`
		"The agent graph "support desk" has 2 problems:
		  nodes[1].kind: Expected one of "coordinator", "agent", "knowledge", "tool", "remote", got "agnt". Did you mean "agent"?
		  edges[0].to: No node has the id "biling". Did you mean "billing"?"
	`);
});

test("does not repeat what could be a secret", () => {
	const secret = "sk-very-secret";
	const graph = {
		name: [secret],
		nodes: [
			{ ...desk, instructions: { secret }, model: secret, output: secret },
			{ ...refund, server: `ftp://user:${secret}@host`, auth: secret, arguments: secret },
			{ ...legal, auth: { secret: { secret } }, approval: secret, metadata: () => secret },
		],
		limits: secret,
	};
	expect(issuesOf(graph)).toHaveLength(11);
	expect(JSON.stringify(issuesOf(graph))).not.toContain(secret);
});

test("messages stay short, whatever is in the graph", () => {
	const long = "y".repeat(100_000);
	const many = Array.from({ length: 50 }, (_, index) => ({
		id: `${index}${long.slice(0, 90)}`,
		kind: long,
	}));
	const graphs = [
		{ nodes: many, edges: many.map(({ id }) => edge(id, long, { mode: long })) },
		{
			name: long,
			[long]: 1,
			nodes: [{ ...desk, [long]: { [long]: long } }],
			edges: [then(long, long, { path: long })],
		},
		{ nodes: [{ ...desk, metadata: { [long]: { [long]: { [long]: Number.NaN } } } }] },
	];
	for (const graph of graphs) {
		const validation = validateAgent(graph);
		const message = validation.success ? "" : validation.error.message;
		expect(message).toMatch(/problem/);
		expect(message.length).toBeLessThan(3_000);
		for (const issue of issuesOf(graph)) expect(issue.message.length).toBeLessThan(600);
	}
});
