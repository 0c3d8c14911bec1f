import type { ChatRequest } from "@stemma/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryMixedGraph } from "../test-support/mixed-graph";
import { calls, runScripted, type ScriptedReply, scriptedAgents } from "../test-support/scripted";

/** No model takes less input than it was sent text. */
const minInput = ({ messages }: ChatRequest): number =>
	Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4);

it("a run never takes more tokens than its limit, whatever models report within what was set aside", async () => {
	const replyKinds = fc.infiniteStream(fc.constantFrom("go", "call", "call", "text", "fail", "long"));
	const shares = fc.infiniteStream(fc.constantFrom(0, 0.5, 1, 1, undefined));
	const maxTokens = fc.integer({ min: 1, max: 3000 });
	const max = fc.constantFrom(undefined, 1, 30, 400);
	let stopped = 0;
	await fc.assert(
		fc.asyncProperty(
			arbitraryMixedGraph,
			replyKinds,
			shares,
			maxTokens,
			max,
			async (graph, lines, parts, limit, output) => {
				const say =
					(node: string) =>
					(request: ChatRequest): ScriptedReply => {
						const line = lines.next().value;
						const share = parts.next().value;
						expect(request.maxOutputTokens).toBeGreaterThanOrEqual(1);
						// Some vendors report nothing, some errors tell what was taken.
						const usage =
							share === undefined
								? undefined
								: {
										inputTokens: minInput(request),
										outputTokens: Math.floor(share * (request.maxOutputTokens ?? 0)),
									};
						if (line === "fail")
							return Object.assign(new Error("broken"), usage === undefined ? {} : { usage });
						const targets =
							graph.edges?.filter(({ from, mode }) => from === node && (mode ?? "call") === "call") ?? [];
						const reply =
							line === "call"
								? calls(...targets.map(({ to }) => [to, "again"] as const))
								: { text: line === "long" ? "word ".repeat(500) : line };
						return { ...reply, usage } as ScriptedReply;
					};
				const nodes = graph.nodes.map((node) =>
					output !== undefined && (node.kind === "coordinator" || node.kind === "agent")
						? { ...node, model: { maxOutputTokens: output } }
						: node,
				);
				const { result } = await runScripted(
					{ ...graph, nodes, limits: { maxTokens: limit, maxSteps: 40 } },
					{
						script: Object.fromEntries(graph.nodes.map(({ id }) => [id, say(id)])),
						maxConcurrentCalls: 2,
						ports: {
							agents: scriptedAgents({}),
							tools: { describe: async () => ({ parameters: {} }), call: async () => "go" },
						},
					},
				);
				expect(result.usage.input_tokens + result.usage.output_tokens).toBeLessThanOrEqual(limit);
				if (result.error?.code === "max_tokens") stopped += 1;
			},
		),
		{ numRuns: 300 },
	);
	expect(stopped).toBeGreaterThan(20);
});
