import { describe, expect, test } from "vitest";
import type { AgentEdge, AgentGraph, AgentNode, RunLimits } from "../graph/agent-graph";
import { defineAgent } from "../validate/define-agent";
import { type AgentInspection, inspectAgent } from "./inspect-agent";

const desk: AgentNode = { id: "desk", kind: "coordinator", maxTurns: 2 };
const billing: AgentNode = { id: "billing", kind: "agent", maxTurns: 3 };
const legal: AgentNode = { id: "legal", kind: "agent", maxTurns: 5 };
const handbook: AgentNode = { id: "handbook", kind: "knowledge", knowledgeBases: ["kb_1", "kb_2"] };
const faq: AgentNode = { id: "faq", kind: "knowledge", knowledgeBases: ["kb_2"] };
const refund: AgentNode = { id: "refund", kind: "tool", tool: "refund_order" };
const asked: AgentNode = { id: "asked", kind: "tool", tool: "refund_order", approval: true };
const partner: AgentNode = {
	id: "partner",
	kind: "remote",
	url: "https://a.example",
	auth: { secret: "partner" },
};

const inspect = (nodes: AgentNode[], edges: AgentEdge[], limits?: RunLimits): AgentInspection =>
	inspectAgent(defineAgent({ nodes, edges, ...(limits === undefined ? {} : { limits }) }));
const to = (from: string, target: string, rest: object = {}): AgentEdge =>
	({ from, to: target, ...rest }) as AgentEdge;

test("nodes that nothing reaches", () => {
	const { unreachable } = inspect(
		[legal, desk, billing, handbook],
		[to("desk", "billing"), to("legal", "handbook")],
	);
	expect(unreachable).toEqual(["legal", "handbook"]);
});

test("reach goes along edges of any mode, in document order, without repeats", () => {
	const { reach } = inspect(
		[desk, refund, billing, partner, faq, handbook],
		[
			to("desk", "billing", { mode: "handoff" }),
			to("billing", "handbook", { mode: "before" }),
			to("billing", "faq"),
			to("faq", "partner", { mode: "then" }),
			to("billing", "refund"),
		],
	);
	expect(reach.desk).toEqual({ knowledgeBases: ["kb_2", "kb_1"], tools: ["refund"], remotes: ["partner"] });
	expect(reach.billing).toEqual(reach.desk);
	expect(reach.faq).toEqual({ knowledgeBases: [], tools: [], remotes: ["partner"] });
	expect(reach.refund).toEqual({ knowledgeBases: [], tools: [], remotes: [] });
});

describe("untrusted text that can lead to an effect", () => {
	const search: AgentNode = { id: "search", kind: "tool", tool: "search", server: "https://web.example/mcp" };
	const find = (nodes: AgentNode[], edges: AgentEdge[]) => inspect([desk, ...nodes], edges).taintPaths;
	const pathsOf = (nodes: AgentNode[], edges: AgentEdge[]) =>
		find(nodes, edges).map(({ path }) => path.join(" → "));

	test("what one specialist reads, another may act on", () => {
		const edges = [
			to("desk", "billing"),
			to("billing", "handbook"),
			to("desk", "legal"),
			to("legal", "refund"),
		];
		expect(find([billing, legal, handbook, refund], edges)).toEqual([
			{
				node: "desk",
				sources: ["handbook"],
				sinks: ["refund"],
				path: ["handbook", "billing", "desk", "legal", "refund"],
			},
		]);
	});
	test.each<[string, AgentNode[], AgentEdge[], string[]]>([
		[
			"a call",
			[handbook, refund],
			[to("desk", "handbook"), to("desk", "refund")],
			["handbook → desk → refund"],
		],
		[
			"a prefetch",
			[handbook, refund],
			[to("desk", "handbook", { mode: "before" }), to("desk", "refund")],
			["handbook → desk → refund"],
		],
		[
			"a knowledge node that goes on to a tool",
			[handbook, refund],
			[to("desk", "handbook", { mode: "before" }), to("handbook", "refund", { mode: "then" })],
			["handbook → refund"],
		],
		[
			"a handoff, whose target reads what was read before",
			[handbook, legal, refund],
			[to("desk", "handbook"), to("desk", "legal", { mode: "handoff" }), to("legal", "refund")],
			["handbook → desk → legal → refund"],
		],
		[
			"what a handoff gave, and goes on to a tool",
			[partner, refund],
			[to("desk", "partner", { mode: "handoff" }), to("desk", "refund", { mode: "then" })],
			["partner → desk → refund"],
		],
		[
			"a tool of a server, read before another one is called",
			[search, refund],
			[to("desk", "search"), to("desk", "refund")],
			["search → desk → refund"],
		],
		[
			"a tool of a server that is asked for, since approval is for the call and not for what comes back",
			[{ ...search, approval: true }, refund],
			[to("desk", "search"), to("desk", "refund")],
			["search → desk → refund"],
		],
		[
			"two tools of servers, each read before the other",
			[search, { ...search, id: "fetch" }],
			[to("desk", "search"), to("desk", "fetch")],
			["search → desk → fetch"],
		],
		[
			"the input of a specialist that its prefetch gets, too",
			[handbook, billing, refund],
			[to("desk", "handbook"), to("desk", "billing"), to("billing", "refund", { mode: "before" })],
			["handbook → desk → billing → refund"],
		],
	])("over %s", (_, nodes, edges, paths) => expect(pathsOf(nodes, edges)).toEqual(paths));

	test.each<[string, AgentNode[], AgentEdge[]]>([
		["approval", [partner, asked], [to("desk", "partner"), to("desk", "asked")]],
		["text alone", [handbook], [to("desk", "handbook")]],
		["tools alone", [refund], [to("desk", "refund")]],
		["what a single tool gave, for that tool", [search], [to("desk", "search")]],
		[
			"what is read after the last call",
			[handbook, refund],
			[to("desk", "refund"), to("desk", "handbook", { mode: "then" })],
		],
		[
			"a handoff, whose value the model that handed over does not read",
			[partner, refund],
			[to("desk", "refund"), to("desk", "partner", { mode: "handoff" })],
		],
		[
			"two prefetches, which get the same input",
			[handbook, refund],
			[to("desk", "refund", { mode: "before" }), to("desk", "handbook", { mode: "before" })],
		],
		[
			"continuations side by side",
			[handbook, refund],
			[to("desk", "refund", { mode: "then" }), to("desk", "handbook", { mode: "then" })],
		],
	])("is stopped by %s", (_, nodes, edges) => expect(find(nodes, edges)).toEqual([]));
});

describe("continuations that are never taken", () => {
	const triage: AgentNode = { id: "triage", kind: "agent" };
	const withOutput: AgentNode = { ...triage, output: { type: "object" } };
	const onMood = to("triage", "billing", { mode: "then", when: { path: "/mood", equals: "bad" } });
	const find = (first: AgentNode, edges: AgentEdge[], others: AgentNode[] = []) =>
		inspect([desk, first, billing, legal, handbook, refund, partner, ...others], edges).deadEdges;

	test.each<[string, object]>([
		["a field", { path: "/mood", equals: "bad" }],
		["a field that may be there", { path: "/mood", exists: true }],
		["an element", { path: "/0", in: ["bad", "worse"] }],
		["an object", { path: "", equals: { mood: "bad" } }],
		["null", { path: "", equals: null }],
		["figures", { path: "", in: [1, 2] }],
	])("the text of a model is not %s", (_, when) => {
		const edge = to("triage", "billing", { mode: "then", when });
		expect(find(triage, [edge, to("triage", "legal", { mode: "then" })])).toEqual([edge]);
		expect(find(withOutput, [edge])).toEqual([]);
	});
	test.each<[string, object]>([
		["a text", { path: "", equals: "bad" }],
		["one of some", { path: "", in: [1, "bad"] }],
		["there", { path: "", exists: true }],
	])("and may be %s", (_, when) =>
		expect(find(triage, [to("triage", "billing", { mode: "then", when })])).toEqual([]),
	);

	const handoff = (from: string, target: string): AgentEdge => to(from, target, { mode: "handoff" });
	const then = (from: string, target: string): AgentEdge => to(from, target, { mode: "then" });
	test.each<[string, AgentEdge[]]>([
		["a tool", [handoff("triage", "refund")]],
		["knowledge", [handoff("triage", "handbook")]],
		["another agent", [handoff("triage", "partner")]],
		["a model that goes on to a tool", [handoff("triage", "legal"), then("legal", "refund")]],
		["a model that hands over to one", [handoff("triage", "legal"), handoff("legal", "refund")]],
		[
			"a model that goes on to several",
			[handoff("triage", "legal"), then("legal", "billing"), then("legal", "desk")],
		],
	])("what is handed over to %s may be JSON", (_, edges) =>
		expect(find(triage, [onMood, ...edges])).toEqual([]),
	);
	test.each<[string, AgentEdge[]]>([
		["text of others that it hands over to", [handoff("triage", "legal"), handoff("legal", "triage")]],
		["what it calls or gets before", [to("triage", "refund"), to("triage", "handbook", { mode: "before" })]],
		["what comes after", [then("billing", "refund"), then("triage", "handbook")]],
	])("%s changes nothing", (_, edges) => expect(find(triage, [onMood, ...edges])).toEqual([onMood]));
	test("what a tool, knowledge or another agent gives may be JSON", () => {
		const when = { path: "/mood", exists: true };
		const edges = ["handbook", "refund", "partner"].map((from) =>
			to(from, "billing", { mode: "then", when }),
		);
		expect(find(triage, edges)).toEqual([]);
	});
});

describe("the most model calls", () => {
	const nodes = [desk, billing, legal, handbook];
	/** Whoever has nothing to call gives its text in one turn. */
	const busy = [to("billing", "handbook"), to("legal", "handbook")];
	test("own turns", () =>
		expect(inspect([desk, handbook], [to("desk", "handbook")]).modelCalls).toEqual({
			max: 2,
			boundBy: "graph",
		}));
	test("besides, one for each search that gets the run's conversation", () => {
		const policies = { ...handbook, id: "policies" };
		const before = { mode: "before" } as const;
		const rewritesOf = (...edges: AgentEdge[]) =>
			inspect([desk, billing, legal, handbook, policies], edges).modelCalls.rewrites;
		expect(rewritesOf(to("desk", "handbook", before), to("desk", "legal", before))).toEqual(["handbook"]);
		expect(rewritesOf(to("desk", "legal", before), to("legal", "policies", before))).toEqual(["policies"]);
		expect(rewritesOf(to("desk", "legal", { mode: "handoff" }), to("legal", "handbook", before))).toEqual([
			"handbook",
		]);
		expect(rewritesOf(to("desk", "billing"), to("billing", "handbook", before))).toBeUndefined();
		expect(rewritesOf(to("desk", "handbook"), to("desk", "policies", { mode: "then" }))).toBeUndefined();
	});
	test("one turn, where there is nothing to call", () => expect(inspect([desk], []).modelCalls.max).toBe(1));
	test("eight turns by default, and one more to repair an output", () => {
		const node: AgentNode = { id: "a", kind: "coordinator", output: { type: "object" } };
		expect(inspect([node, handbook], [to("a", "handbook")]).modelCalls.max).toBe(9);
	});
	test("calls times maxCalls", () =>
		expect(inspect(nodes, [to("desk", "billing", { maxCalls: 4 }), ...busy]).modelCalls.max).toBe(2 + 4 * 3));
	describe("handoffs", () => {
		const handoff = { mode: "handoff" };
		const coordinator = (maxTurns: number, rest: object = {}): AgentNode => ({ ...desk, maxTurns, ...rest });
		const max = (first: AgentNode, edges: AgentEdge[]): number =>
			inspect([first, billing, legal, handbook], [...edges, ...busy]).modelCalls.max;
		test("one, the dearest, in the last turn but one", () =>
			expect(max(desk, [to("desk", "billing", handoff), to("desk", "legal", handoff)])).toBe(1 + 5));
		test("after all calls", () =>
			expect(
				max(coordinator(4), [to("desk", "billing", { maxCalls: 2 }), to("desk", "legal", handoff)]),
			).toBe(3 + 2 * 3 + 5));
		test("calls or a handoff, where one turn is for both", () =>
			expect(max(desk, [to("desk", "billing", { maxCalls: 3 }), to("desk", "legal", handoff)])).toBe(
				2 + 3 * 3,
			));
		test("none in the only turn", () =>
			expect(max(coordinator(1), [to("desk", "billing"), to("desk", "legal", handoff)])).toBe(1));
		test("the own text and its repair, where that is more", () =>
			expect(max(coordinator(9, { output: {} }), [to("desk", "handbook", handoff)])).toBe(10));
		test("chains, and what comes after them", () =>
			expect(
				max(coordinator(3), [
					to("desk", "billing", handoff),
					to("billing", "legal", handoff),
					to("billing", "legal", { mode: "then" }),
					to("desk", "legal", { mode: "then" }),
				]),
			).toBe(2 + (2 + 5 + 5) + 5));
		test("one after the other in a ring have no bound but the steps", () =>
			expect(
				inspect(nodes, [to("desk", "billing", handoff), to("billing", "desk", handoff)]).modelCalls,
			).toEqual({ max: 64, boundBy: "maxSteps", cycle: ["desk", "billing"] }));
	});
	test("all plain continuations and prefetches", () =>
		expect(
			inspect(nodes, [
				to("desk", "billing", { mode: "then" }),
				to("desk", "legal", { mode: "then" }),
				to("desk", "billing", { mode: "before" }),
				...busy,
			]).modelCalls.max,
		).toBe(1 + 3 + 5 + 3));
	test("one branch of a switch, the dearest", () => {
		const when = { path: "", exists: true };
		const edges = [to("desk", "billing", { mode: "then", when }), to("desk", "legal", { mode: "then" })];
		expect(inspect(nodes, [...edges, ...busy]).modelCalls).toEqual({ max: 1 + 5, boundBy: "graph" });
	});
	test("a node that two others call counts for each", () => {
		const edges = [
			to("desk", "billing", { maxCalls: 1 }),
			to("desk", "legal", { maxCalls: 1 }),
			to("billing", "legal", { maxCalls: 2 }),
			to("legal", "handbook"),
		];
		expect(inspect(nodes, edges).modelCalls.max).toBe(2 + (3 + 2 * 5) + 5);
	});
	test("calls without maxCalls are bounded by the steps alone", () =>
		expect(inspect(nodes, [to("desk", "billing"), to("desk", "handbook")]).modelCalls).toEqual({
			max: 64,
			boundBy: "maxSteps",
			unlimitedCalls: ["desk → billing"],
		}));
	test("a cycle is told in the order of its edges", () => {
		const edges = [to("desk", "legal"), to("legal", "billing"), to("billing", "desk")];
		expect(inspect(nodes, edges, { maxSteps: 10 }).modelCalls).toEqual({
			max: 10,
			boundBy: "maxSteps",
			cycle: ["desk", "legal", "billing"],
		});
	});
	test("a cycle that is never reached does not count", () => {
		const edges = [to("legal", "billing"), to("billing", "legal")];
		expect(inspect(nodes, edges).modelCalls).toEqual({ max: 1, boundBy: "graph" });
	});
	test("a cycle that makes no model calls does not count", () => {
		const when = { path: "/again", exists: true };
		const edges = [
			to("desk", "handbook", { mode: "then" }),
			to("handbook", "refund", { mode: "then" }),
			to("refund", "handbook", { mode: "then", when }),
		];
		expect(inspect([...nodes, refund], edges).modelCalls).toEqual({ max: 1, boundBy: "graph" });
	});
	describe("of other agents, which are not counted", () => {
		const far: AgentNode = { id: "far", kind: "remote", agentId: "ag_1" };
		const find = (edges: AgentEdge[], first: AgentNode = desk) =>
			inspect([legal, partner, far, first, billing], edges).modelCalls;
		test("are named, in document order, however they are run", () => {
			const edges = [to("desk", "far", { mode: "then" }), to("billing", "partner", { mode: "handoff" })];
			expect(find([...edges, to("desk", "billing", { maxCalls: 1 })])).toEqual({
				max: 2 + 3,
				boundBy: "graph",
				remotes: ["partner", "far"],
			});
			expect(find([...edges, to("desk", "billing")])).toEqual({
				max: 64,
				boundBy: "maxSteps",
				unlimitedCalls: ["desk → billing"],
				remotes: ["partner", "far"],
			});
		});
		test("are not, where no run gets to them", () => {
			expect(find([to("legal", "far")]).remotes).toBeUndefined();
			expect(find([to("desk", "far")], { ...desk, maxTurns: 1 }).remotes).toBeUndefined();
		});
	});
	test("never more than the steps", () =>
		expect(inspect(nodes, [to("desk", "billing", { maxCalls: 1_000_000 })]).modelCalls).toEqual({
			max: 64,
			boundBy: "maxSteps",
		}));
});

test("where a graph can run", () => {
	const stored: AgentNode = { id: "stored", kind: "remote", agentId: "ag_1", auth: { secret: "partner" } };
	const nodes = [desk, refund, partner, handbook, stored];
	const { environments } = inspect(nodes, [to("desk", "refund"), to("desk", "partner")]);
	const registered = '"refund" needs a tool registered in code under the name "refund_order".';
	const variable =
		'"partner", "stored" need the secret "partner": the variable STEMMA_TOOL_PARTNER, or the option `secrets`.';
	expect(environments).toEqual({
		process: {
			supported: true,
			notes: [
				'"handbook", "stored" need ports of a service, such as `servicePorts(client)`.',
				registered,
				variable,
			],
		},
		runtime: {
			supported: true,
			notes: ['"handbook", "stored" need a runtime with a service.', registered, variable],
		},
		service: {
			supported: false,
			notes: [
				'"refund" is a tool registered in code; the service calls only tools with a "server".',
				'"partner", "stored" need the secret "partner" of the workspace.',
			],
		},
	});
	expect(inspect([desk, handbook], []).environments.service).toEqual({ supported: true, notes: [] });
});

/** Limit within which 3,000 nodes are inspected; looking at all edges anew for each of them takes longer. */
test("a large graph takes time in proportion to what is told of it", { timeout: 30_000 }, () => {
	const kinds: readonly ((id: string) => AgentNode)[] = [
		(id) => ({ id, kind: "agent" }),
		(id) => ({ id, kind: "agent" }),
		(id) => ({ ...handbook, id }),
		(id) => ({ ...refund, id }),
	];
	// Every agent calls ten nodes after it, near and far, so that most reach most.
	const build = (size: number): AgentGraph => {
		const nodes = Array.from(
			{ length: size },
			(_, index): AgentNode =>
				index === 0 ? { ...desk, id: "n0" } : (kinds[index % 4] as (id: string) => AgentNode)(`n${index}`),
		);
		const edges = Array.from({ length: size * 10 }, (_, index): AgentEdge | undefined => {
			const from = Math.floor(index / 10);
			const target = from + 1 + (((index % 10) * 7919) % 61);
			return from % 4 > 1 || target >= size ? undefined : to(`n${from}`, `n${target}`, { maxCalls: 1 });
		}).filter((edge) => edge !== undefined);
		return defineAgent({ nodes, edges });
	};
	const size = 3000;
	expect(Object.keys(inspectAgent(build(size)).reach)).toHaveLength(size);
});
