import fc from "fast-check";
import { expect, test } from "vitest";
import { AgentGraphError } from "../errors";
import type { AgentGraph } from "../graph/agent-graph";
import { defineAgent } from "./define-agent";
import { validateAgent } from "./validate-agent";

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const json = fc
	.jsonValue({ maxDepth: 3 })
	.map((value) => JSON.parse(JSON.stringify(value).replaceAll("__proto__", "p")));
const auth = fc.record({ secret: fc.string({ minLength: 1 }) });

const kinds = [
	fc.record(
		{ kind: fc.constant("agent"), instructions: fc.string(), maxTurns: fc.integer({ min: 1 }) },
		{ requiredKeys: ["kind"] },
	),
	fc.record(
		{
			kind: fc.constant("knowledge"),
			knowledgeBases: fc.array(fc.string({ minLength: 1 }), { minLength: 1 }),
			topK: fc.integer({ min: 1, max: 100 }),
		},
		{ requiredKeys: ["kind", "knowledgeBases"] },
	),
	fc.record(
		{ kind: fc.constant("tool"), tool: fc.string({ minLength: 1 }), approval: fc.boolean() },
		{ requiredKeys: ["kind", "tool"] },
	),
	fc.record({ kind: fc.constant("remote"), url: fc.webUrl(), auth }, { requiredKeys: ["kind", "url"] }),
];
const shared = fc.record(
	{ metadata: json, description: fc.string({ maxLength: 1024 }) },
	{ requiredKeys: [] },
);

/** A valid graph: every edge leads from an earlier node to a later one, so there is no cycle. */
const validGraph = fc
	.uniqueArray(id, { minLength: 1, maxLength: 12 })
	.chain((ids) =>
		fc.record({
			nodes: fc.tuple(
				...ids.map((own, index) =>
					fc
						.tuple(shared, index === 0 ? fc.constant({ kind: "coordinator" }) : fc.oneof(...kinds))
						.map(([base, fields]) => ({ ...base, ...fields, id: own })),
				),
			),
			pairs: fc.uniqueArray(fc.tuple(fc.nat(ids.length - 1), fc.nat(ids.length - 1)), { maxLength: 20 }),
			mode: fc.constantFrom("call", "handoff", "before", "then"),
		}),
	)
	.map(({ nodes, pairs, mode }) => {
		const edges = new Map<string, unknown>();
		for (const [a, b] of pairs) {
			const [from, to] = [nodes[Math.min(a, b)], nodes[Math.max(a, b)]];
			if (from === undefined || to === undefined || from === to) continue;
			const own = ["coordinator", "agent"].includes(from.kind) ? mode : "then";
			edges.set(`${from.id} ${to.id}`, { from: from.id, to: to.id, mode: own });
		}
		return { nodes, edges: [...edges.values()] } as unknown as AgentGraph;
	});

function isDeeplyFrozen(value: unknown): boolean {
	if (typeof value !== "object" || value === null) return true;
	return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

test("a valid graph is accepted, copied, frozen, and survives a round trip", () => {
	fc.assert(
		fc.property(validGraph, (graph) => {
			const before = JSON.stringify(graph);
			const defined = defineAgent(graph);
			expect(defined).toEqual(graph);
			expect(defined).not.toBe(graph);
			expect(Object.isFrozen(graph)).toBe(false);
			expect(JSON.stringify(graph)).toBe(before);
			expect(isDeeplyFrozen(defined)).toBe(true);
			const read = JSON.parse(JSON.stringify(defined));
			expect(read).toEqual(defined);
			expect(defineAgent(read)).toEqual(defined);
		}),
		{ numRuns: 150 },
	);
});

const anything = fc.anything({
	withBigInt: true,
	withDate: true,
	withMap: true,
	withNullPrototype: true,
	withSparseArray: true,
	withBoxedValues: true,
});
const almostGraph = fc.record(
	{
		name: anything,
		nodes: fc.oneof(
			anything,
			fc.array(
				fc.oneof(
					anything,
					fc.record({
						id: fc.oneof(id, anything),
						kind: fc.oneof(fc.constantFrom("agent", "tool", "coordinator"), anything),
						auth: anything,
						url: anything,
					}),
				),
			),
		),
		edges: fc.oneof(
			anything,
			fc.array(
				fc.oneof(
					anything,
					fc.record(
						{
							from: anything,
							to: anything,
							mode: fc.oneof(fc.constantFrom("then", "call"), anything),
							when: anything,
						},
						{ requiredKeys: [] },
					),
				),
			),
		),
		limits: anything,
	},
	{ requiredKeys: [] },
);

test("nothing makes it throw anything but an AgentGraphError", () => {
	fc.assert(
		fc.property(
			fc.oneof(
				fc.json().map((text): unknown => JSON.parse(text)),
				anything,
				almostGraph,
			),
			(value) => {
				const validation = validateAgent(value);
				if (validation.success) return;
				expect(AgentGraphError.is(validation.error)).toBe(true);
				expect(validation.error.issues.length).toBeGreaterThan(0);
				const codes = new Set(
					validation.error.issues.map(({ code, path, message }) => code + JSON.stringify(path) + message),
				);
				expect(codes.size).toBe(validation.error.issues.length);
			},
		),
		{ numRuns: 1_000 },
	);
});

/** Whether each of the vertices can reach itself, by brute force. */
function findCyclic(count: number, edges: readonly (readonly [number, number])[]): boolean[] {
	const reach = Array.from({ length: count }, () => new Array<boolean>(count).fill(false));
	const cell = (from: number, to: number): boolean => reach[from]?.[to] ?? false;
	const set = (from: number, to: number): void => {
		const row = reach[from];
		if (row !== undefined) row[to] = true;
	};
	for (const [from, to] of edges) set(from, to);
	for (let via = 0; via < count; via++)
		for (let from = 0; from < count; from++)
			for (let to = 0; to < count; to++) if (cell(from, via) && cell(via, to)) set(from, to);
	return reach.map((row, vertex) => row[vertex] ?? false);
}

test("endless_cycle agrees with a search by brute force", () => {
	const modes = fc.constantFrom("before", "then", "guarded", "call");
	const vertices = 7;
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.nat(vertices - 1), fc.nat(vertices - 1), modes), { maxLength: 14 }),
			(triples) => {
				const distinct = triples.filter(([from, to]) => from !== to);
				const edges = distinct.map(([from, to, mode]) => ({
					from: `n${from}`,
					to: `n${to}`,
					mode: mode === "guarded" ? "then" : mode,
					...(mode === "guarded" ? { when: { path: "", exists: true } } : {}),
				}));
				const switches = new Set(distinct.filter(([, , mode]) => mode === "guarded").map(([from]) => from));
				const unguarded = distinct
					.filter(([from, , mode]) => mode === "before" || (mode === "then" && !switches.has(from)))
					.map(([from, to]): [number, number] => [from, to]);
				const nodes = Array.from({ length: vertices }, (_, index) => ({
					id: `n${index}`,
					kind: index === 0 ? "coordinator" : "agent",
				}));
				const validation = validateAgent({ nodes, edges });
				const cycles = validation.success
					? []
					: validation.error.issues.filter(({ code }) => code === "endless_cycle");
				expect(cycles.length > 0).toBe(findCyclic(vertices, unguarded).includes(true));
				for (const { path } of cycles) {
					const [from, , mode] = distinct[Number(path[1])] ?? [];
					expect(["before", "then"]).toContain(mode);
					expect(findCyclic(vertices, unguarded)[from ?? -1]).toBe(true);
				}
			},
		),
		{ numRuns: 500 },
	);
});

/** Size of a graph with nearly all of the million values that it may have. */
const [NODES, EDGES] = [50_000, 250_000];
/** Linear work ends in a second; as many steps as there are pairs of a node and an edge take longer than this. */
const PAIRS_TIMEOUT_MS = 30_000;

const toLargeGraph = (toTarget: (index: number, from: number) => string): unknown => ({
	nodes: Array.from({ length: NODES }, (_, index) => ({
		id: `n${index}`,
		kind: index === 0 ? "coordinator" : "agent",
	})),
	edges: Array.from({ length: EDGES }, (_, index) => {
		const from = Math.floor((index * NODES) / EDGES);
		return { from: `n${from}`, to: toTarget(index, from) };
	}),
});

test(
	"a large valid graph takes time in proportion to its size",
	() => {
		const graph = toLargeGraph((index, from) => `n${(from + 1 + (index % (EDGES / NODES))) % NODES}`);
		expect(validateAgent(graph).success).toBe(true);
	},
	PAIRS_TIMEOUT_MS,
);

test(
	"a large graph that is all wrong takes time in proportion to its size",
	() => {
		const validation = validateAgent(toLargeGraph((index) => `m${index}`));
		expect(validation.success ? 0 : validation.error.issues.length).toBe(EDGES);
	},
	PAIRS_TIMEOUT_MS,
);
