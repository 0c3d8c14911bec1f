import { expect, expectTypeOf, test } from "vitest";
import * as zod from "zod";
import type { AgentGraph, AgentNode } from "../graph/agent-graph";
import { defineAgent } from "./define-agent";

// Checked by the compiler; nothing here is called.
const desk = { id: "desk", kind: "coordinator" } as const;
const refund = { id: "refund", kind: "tool", tool: "refund_order" } as const;
const nodes = [desk, refund] as const;
const ends = { from: "desk", to: "refund" } as const;
const whole = { path: "" } as const;

function refused(): void {
	// @ts-expect-error an edge to an id that no node has
	defineAgent({ nodes: [desk], edges: [{ from: "desk", to: "dsk" }] });
	// @ts-expect-error an edge from an id that no node has
	defineAgent({ nodes: [desk], edges: [{ from: "dsk", to: "desk" }] });
	// @ts-expect-error a guard on a call
	defineAgent({ nodes, edges: [{ ...ends, when: { ...whole, exists: true } }] });
	// @ts-expect-error a guard on a handoff
	defineAgent({ nodes, edges: [{ ...ends, mode: "handoff", when: { ...whole, exists: true } }] });
	// @ts-expect-error a number of calls on a continuation
	defineAgent({ nodes, edges: [{ ...ends, mode: "then", maxCalls: 1 }] });
	// @ts-expect-error a mode that is none
	defineAgent({ nodes, edges: [{ ...ends, mode: "calls" }] });
	// @ts-expect-error a guard with two tests
	defineAgent({ nodes, edges: [{ ...ends, mode: "then", when: { ...whole, equals: 1, in: [1] } }] });
	// @ts-expect-error a guard with no test
	defineAgent({ nodes, edges: [{ ...ends, mode: "then", when: { path: "" } }] });
	// @ts-expect-error a guard against what exists
	defineAgent({ nodes, edges: [{ ...ends, mode: "then", when: { ...whole, exists: false } }] });
	// @ts-expect-error both targets
	defineAgent({ nodes: [desk, { id: "r", kind: "remote", agentId: "a", url: "https://a.example" }] });
	// @ts-expect-error no target
	defineAgent({ nodes: [desk, { id: "r", kind: "remote" }] });
	// @ts-expect-error a secret for a tool registered in code
	defineAgent({ nodes: [desk, { ...refund, auth: { secret: "s" } }] });
	// @ts-expect-error a secret that is not named
	defineAgent({ nodes: [desk, { ...refund, server: "https://a.example", auth: "sk-1" }] });
	// @ts-expect-error no knowledge bases
	defineAgent({ nodes: [desk, { id: "k", kind: "knowledge" }] });
	// @ts-expect-error an empty list of knowledge bases
	defineAgent({ nodes: [desk, { id: "k", kind: "knowledge", knowledgeBases: [] }] });
	// @ts-expect-error a zod schema, which is no JSON
	defineAgent({ nodes: [{ ...desk, output: zod.object({ a: zod.string() }) }] });
	// @ts-expect-error a function in free JSON
	defineAgent({ nodes: [{ ...desk, metadata: { f: () => 1 } }] });
	// @ts-expect-error a kind that is none
	defineAgent({ nodes: [{ id: "desk", kind: "coordinater" }] });
	// @ts-expect-error a field of another kind
	defineAgent({ nodes: [{ id: "desk", kind: "coordinator", topK: 3 }] });
	// @ts-expect-error a misspelt field
	defineAgent({ nodes: [{ id: "desk", kind: "coordinator", instruction: "x" }] });
	// @ts-expect-error no id
	defineAgent({ nodes: [{ kind: "coordinator" }] });
	// @ts-expect-error no nodes
	defineAgent({ edges: [] });
	// @ts-expect-error an unknown limit
	defineAgent({ nodes: [desk], limits: { steps: 3 } });
	// @ts-expect-error the returned graph cannot be changed
	defineAgent({ nodes: [desk] }).name = "x";
}

function accepted(ids: string[], read: AgentGraph): void {
	const plain = defineAgent({
		nodes: ids.map((id): AgentNode => ({ id, kind: "agent" })),
		edges: [{ from: "a", to: "b" }],
	});
	expectTypeOf(plain).toEqualTypeOf<AgentGraph<string>>();
	expectTypeOf(defineAgent(read)).toEqualTypeOf<AgentGraph<string>>();
	const literal = defineAgent({
		nodes: [desk, refund],
		edges: [{ from: "desk", to: "refund", maxCalls: 1 }],
	});
	expectTypeOf(literal).toEqualTypeOf<AgentGraph<"desk" | "refund">>();
	expectTypeOf(literal.nodes[0]).toEqualTypeOf<AgentNode<"desk" | "refund"> | undefined>();
	expectTypeOf(defineAgent({ nodes: [{ id: "a", kind: "coordinator" }] })).toEqualTypeOf<AgentGraph<"a">>();
	// A graph with literal ids goes wherever any graph does.
	expectTypeOf(literal).toExtend<AgentGraph>();
	defineAgent({
		nodes: [
			desk,
			{ id: "a2a", kind: "remote", url: "https://a.example" },
			{ ...refund, server: "https://b.example", auth: { secret: "s" } },
		],
		edges: [
			{ from: "desk", to: "a2a", mode: "then", when: { path: "/a", in: [1, null] } },
			{ from: "desk", to: "refund", mode: "then" },
		],
	});
}

test("the compiler has checked this file", () => expect([refused, accepted]).toHaveLength(2));
