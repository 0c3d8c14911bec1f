import fc from "fast-check";
import { expect, it } from "vitest";
import type { ToolPort } from "./index";
import { arbitraryMixedGraph } from "./test-support/mixed-graph";
import {
	type Answer,
	calls,
	type Line,
	passage,
	rowOf,
	runScripted,
	scriptedAgents,
} from "./test-support/scripted";

/** Says what it is told, but for some words. */
const tools: ToolPort = {
	describe: async () => ({
		parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
	}),
	async call({ arguments: { input } }) {
		if (input === "stop") throw new Error("stopped");
		return input === "go" ? { said: input } : (input ?? null);
	},
};

const cites = (n: number, id: string) => ({ n, ...passage(id, "It says so."), support: "weak" as const });

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
const ANSWERS: Readonly<Record<string, Answer>> = {
	go: { output: "go", receipt: [rowOf({ node: "desk", run_id: "run_theirs" })] },
	stop: "stop",
	text: { output: "It says so [1][2]. See [1].", citations: [cites(1, "a"), cites(2, "c")] },
	call: { output: "Odd [7], [3] and [9].", citations: [cites(3, "b"), cites(7, "d")] },
	fail: Object.assign(new Error("broken"), { receipt: [rowOf({ payer: "external" })] }),
	filtered: { output: { said: "It says so [2]." }, tells: ["Let me "], citations: [cites(2, "a")] },
	reset: { output: "go", tells: ["Draft [1] ", undefined, "g", "o"] },
	other: { output: "It is so [1].", tells: ["Not ", "that"] },
	data: { output: { said: "go [1]" }, tells: [] },
	null: { output: null, tells: ["Nothing"] },
	function: { output: (() => 1) as never },
	throws: async () => {
		throw "text";
	},
};

it("every graph ends, with events and a receipt that agree, whatever its models say", async () => {
	const says = fc.infiniteStream(fc.constantFrom(...SAYINGS));
	const answers = fc.infiniteStream(fc.constantFrom(...Object.values(ANSWERS)));
	let ended = 0;
	let asked = 0;
	await fc.assert(
		fc.asyncProperty(arbitraryMixedGraph, says, answers, async (graph, lines, outcomes) => {
			const say = (node: string) => (): Line => {
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
			const answer: Answer = async () => outcomes.next().value;
			const agents = scriptedAgents(Object.fromEntries(graph.nodes.map(({ id }) => [id, answer])));
			const { result } = await runScripted(graph, { script, passages, ports: { tools, agents } });
			expect(result.usage.steps).toBeLessThanOrEqual(64);
			ended += 1;
			asked += agents.requests.length;
		}),
		{ numRuns: 300 },
	);
	expect(ended).toBeGreaterThanOrEqual(300);
	expect(asked).toBeGreaterThan(60);
});
