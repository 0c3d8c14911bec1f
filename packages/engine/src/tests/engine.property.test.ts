import fc from "fast-check";
import { expect, it } from "vitest";
import type { ToolPort } from "../index";
import { arbitraryMixedGraph } from "../test-support/mixed-graph";
import {
	calls,
	passage,
	receiptRow,
	runScripted,
	type ScriptedOutcome,
	type ScriptedReply,
	scriptedAgents,
} from "../test-support/scripted";

/** Says what it is told, but for some words. */
const tools: ToolPort = {
	describe: async () => ({
		parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
	}),
	async call({ arguments: { input } }) {
		if (input === "stop") throw new Error("stopped");
		return input === "go" ? { quote: input } : (input ?? null);
	},
};

const citationOf = (n: number, id: string) => ({
	n,
	...passage(id, "It says so."),
	support: "weak" as const,
});

/** What models say: mostly what leads on. */
const SAYINGS = [
	"go",
	"go",
	"go",
	"call",
	"call",
	"call",
	"text",
	"text",
	"stop",
	"fail",
	"filtered",
] as const;

/** What agents give, also such as no port should. */
const ANSWERS: Readonly<Record<string, ScriptedOutcome>> = {
	go: { output: "go", receipt: [receiptRow({ node: "desk", run_id: "run_theirs" })] },
	stop: "stop",
	text: { output: "It says so [1][2]. See [1].", citations: [citationOf(1, "a"), citationOf(2, "c")] },
	call: { output: "Odd [7], [3] and [9].", citations: [citationOf(3, "b"), citationOf(7, "d")] },
	fail: Object.assign(new Error("broken"), { receipt: [receiptRow({ payer: "external" })] }),
	filtered: { output: { quote: "It says so [2]." }, deltas: ["Let me "], citations: [citationOf(2, "a")] },
	reset: { output: "go", deltas: ["Draft [1] ", undefined, "g", "o"] },
	other: { output: "It is so [1].", deltas: ["Not ", "that"] },
	data: { output: { quote: "go [1]" }, deltas: [] },
	null: { output: null, deltas: ["Nothing"] },
	function: { output: (() => 1) as never },
	throws: async () => {
		throw "text";
	},
};

it("every graph ends, with events and a receipt that agree, whatever its models say", async () => {
	const sayings = fc.infiniteStream(fc.constantFrom(...SAYINGS));
	const answers = fc.infiniteStream(fc.constantFrom(...Object.values(ANSWERS)));
	let ended = 0;
	let agentRequestCount = 0;
	await fc.assert(
		fc.asyncProperty(arbitraryMixedGraph, sayings, answers, async (graph, lines, outcomes) => {
			const say = (node: string) => (): ScriptedReply => {
				const line = lines.next().value;
				const targets =
					graph.edges?.filter(({ from, mode }) => from === node && (mode === "call" || mode === "handoff")) ??
					[];
				if (line === "call") return calls(...targets.map(({ to }) => [to, "again"] as const));
				if (line === "fail") return new Error("broken");
				return line === "filtered"
					? { finishReason: "filtered" }
					: line === "text"
						? "It says so [1][2]."
						: line;
			};
			const script = Object.fromEntries(graph.nodes.map(({ id }) => [id, say(id)]));
			const passages = { hello: [passage("a", "It says so.")], again: [passage("b", "Again.")] };
			const answer: ScriptedOutcome = async () => outcomes.next().value;
			const agents = scriptedAgents(Object.fromEntries(graph.nodes.map(({ id }) => [id, answer])));
			const { result } = await runScripted(graph, { script, passages, ports: { tools, agents } });
			expect(result.usage.steps).toBeLessThanOrEqual(64);
			ended += 1;
			agentRequestCount += agents.requests.length;
		}),
		{ numRuns: 300 },
	);
	expect(ended).toBeGreaterThanOrEqual(300);
	expect(agentRequestCount).toBeGreaterThan(60);
});
