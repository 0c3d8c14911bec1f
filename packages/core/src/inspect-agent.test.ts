import { describe, expect, test } from "vitest";
import type { AgentEdge, AgentNode, RunLimits } from "./agent-graph";
import { defineAgent } from "./define-agent";
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
	test("what one specialist reads, another may act on", () => {
		const edges = [
			to("desk", "billing"),
			to("billing", "handbook"),
			to("desk", "legal"),
			to("legal", "refund"),
		];
		const { untrustedToEffect } = inspect([desk, billing, legal, handbook, refund], edges);
		expect(untrustedToEffect).toEqual([{ node: "desk", reads: ["handbook"], tools: ["refund"] }]);
	});
	test("approval is what stops it", () => {
		const edges = [to("desk", "partner"), to("desk", "asked")];
		expect(inspect([desk, partner, asked], edges).untrustedToEffect).toEqual([]);
	});
	test("a knowledge node that goes on to a tool reads its own passages", () => {
		const edges = [to("desk", "handbook", { mode: "before" }), to("handbook", "refund", { mode: "then" })];
		const found = inspect([desk, handbook, refund], edges).untrustedToEffect;
		expect(found.map(({ node }) => node)).toEqual(["desk", "handbook"]);
	});
	test("text alone and tools alone are harmless", () => {
		expect(inspect([desk, handbook], [to("desk", "handbook")]).untrustedToEffect).toEqual([]);
		expect(inspect([desk, refund], [to("desk", "refund")]).untrustedToEffect).toEqual([]);
	});
});

describe("the most model calls", () => {
	const nodes = [desk, billing, legal, handbook];
	test("own turns", () => expect(inspect([desk], []).modelCalls).toEqual({ most: 2, boundBy: "graph" }));
	test("eight turns by default, and one more to repair an output", () => {
		const node: AgentNode = { id: "a", kind: "coordinator", output: { type: "object" } };
		expect(inspect([node], []).modelCalls.most).toBe(9);
	});
	test("calls times maxCalls", () =>
		expect(inspect(nodes, [to("desk", "billing", { maxCalls: 4 })]).modelCalls.most).toBe(2 + 4 * 3));
	test("one hand-over, the dearest", () =>
		expect(
			inspect(nodes, [to("desk", "billing", { mode: "handoff" }), to("desk", "legal", { mode: "handoff" })])
				.modelCalls.most,
		).toBe(2 + 5));
	test("all plain continuations and prefetches", () =>
		expect(
			inspect(nodes, [
				to("desk", "billing", { mode: "then" }),
				to("desk", "legal", { mode: "then" }),
				to("desk", "billing", { mode: "before" }),
			]).modelCalls.most,
		).toBe(2 + 3 + 5 + 3));
	test("one branch of a switch, the dearest", () => {
		const when = { path: "", exists: true };
		const edges = [to("desk", "billing", { mode: "then", when }), to("desk", "legal", { mode: "then" })];
		expect(inspect(nodes, edges).modelCalls).toEqual({ most: 2 + 5, boundBy: "graph" });
	});
	test("a node that two others call counts for each", () => {
		const edges = [
			to("desk", "billing", { maxCalls: 1 }),
			to("desk", "legal", { maxCalls: 1 }),
			to("billing", "legal", { maxCalls: 2 }),
		];
		expect(inspect(nodes, edges).modelCalls.most).toBe(2 + (3 + 2 * 5) + 5);
	});
	test("calls without maxCalls are bounded by the steps alone", () =>
		expect(inspect(nodes, [to("desk", "billing"), to("desk", "handbook")]).modelCalls).toEqual({
			most: 64,
			boundBy: "maxSteps",
			unlimitedCalls: ["desk → billing"],
		}));
	test("a cycle is told in the order of its edges", () => {
		const edges = [to("desk", "legal"), to("legal", "billing"), to("billing", "desk")];
		expect(inspect(nodes, edges, { maxSteps: 10 }).modelCalls).toEqual({
			most: 10,
			boundBy: "maxSteps",
			cycle: ["desk", "legal", "billing"],
		});
	});
	test("a cycle that is never reached does not count", () => {
		const edges = [to("legal", "billing"), to("billing", "legal")];
		expect(inspect(nodes, edges).modelCalls).toEqual({ most: 2, boundBy: "graph" });
	});
	test("never more than the steps", () =>
		expect(inspect(nodes, [to("desk", "billing", { maxCalls: 1_000_000 })]).modelCalls).toEqual({
			most: 64,
			boundBy: "maxSteps",
		}));
});

test("where a graph can run", () => {
	const { runsIn } = inspect([desk, refund, partner], [to("desk", "refund"), to("desk", "partner")]);
	expect(runsIn.process.runs).toBe(true);
	expect(runsIn.runtime).toEqual(runsIn.process);
	expect(runsIn.process.notes).toEqual([
		'"refund" needs a tool registered in code under the name "refund_order".',
		'"partner" needs the secret "partner".',
	]);
	expect(runsIn.service).toEqual({
		runs: false,
		notes: [
			'"refund" is a tool registered in code; the service calls only tools with a "server".',
			'"partner" needs the secret "partner".',
		],
	});
	expect(inspect([desk, handbook], []).runsIn.service).toEqual({ runs: true, notes: [] });
});
