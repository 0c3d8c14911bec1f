import type { AgentGraph, Json } from "@stemma/core";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { arbitraryGraph, arbitraryInput, arbitraryLines } from "./arbitrary-graph";
import { compareRuns } from "./reference-comparison";
import { interpret } from "./reference-interpreter";
import { context, createReferencePorts, toEnginePorts } from "./reference-ports";
import type { ReferencePorts } from "./reference-types";
import { manualHost, type RunScripted } from "./scripted";

const parts = { nodes: 12, edges: 22, hasApprovals: false };

/** Events that graphs of all kinds together must have shown, with the least number for the graphs of one kind. */
const EXPECTED = {
	completed: 1,
	failed: 1,
	cited: 30,
	parallel: 5,
	long: 5,
	max_steps: 10,
	output_invalid: 20,
	no_query: 30,
	tool_failed: 40,
	remote_failed: 40,
	model_failed: 20,
	content_filtered: 20,
	max_turns: 40,
};

async function runBoth(
	run: RunScripted,
	graph: AgentGraph,
	referencePorts: ReferencePorts,
	input: Json,
	waits: Iterator<number>,
) {
	const reference = interpret(graph, input, () => 'Answer for "Ada".', referencePorts);
	// How long an answer takes, in turns of the event loop's microtasks: it must make no difference.
	const wait = async (): Promise<void> => {
		for (let remaining = waits.next().value ?? 0; remaining > 0; remaining -= 1) await undefined;
	};
	const { ports, reply } = toEnginePorts(referencePorts, wait);
	const script = Object.fromEntries(graph.nodes.map(({ id }) => [id, reply]));
	const compared = await run(graph, { input, context, script, ports, host: manualHost() });
	compareRuns(reference, compared, graph);
	return reference;
}

/**
 * Registers the tests that run random graphs and compare each run with the reference interpreter.
 *
 * @param run - runs them: the engine, or what is built on it.
 * @param numRuns - how many graphs of each kind.
 */
export function describeReferenceRuns(run: RunScripted, numRuns: number): void {
	const seen = new Map<string, number>();
	const count = (what: string): unknown => seen.set(what, (seen.get(what) ?? 0) + 1);

	afterAll(() => {
		if (process.env.STEMMA_ENGINE_GRAPHS) console.log(Object.fromEntries(seen));
		// A few graphs need not show everything.
		if (numRuns < 30) return;
		for (const [what, oneIn] of Object.entries(EXPECTED))
			expect([what, (seen.get(what) ?? 0) > numRuns / oneIn]).toEqual([what, true]);
	});

	it.each([
		["one thing at a time", true, false],
		["one thing at a time, with handoffs", true, true],
		["many things at once", false, false],
		["many things at once, with handoffs", false, true],
	])(
		"the engine does what the description says: %s",
		async (_, isSequential, hasHandoffs) => {
			const waits = fc.infiniteStream(fc.nat(8));
			await fc.assert(
				fc.asyncProperty(
					arbitraryGraph({ ...parts, isSequential, hasHandoffs }),
					arbitraryLines(isSequential),
					arbitraryInput,
					waits,
					async (graph, lines, input, delays) => {
						const { status, codes, cited, isParallel, steps } = await runBoth(
							run,
							graph,
							createReferencePorts(lines, isSequential),
							input,
							delays,
						);
						count(status);
						count(codes[0] ?? "");
						if (cited.length > 0) count("cited");
						if (isParallel) count("parallel");
						if (steps > 8) count("long");
					},
				),
				{ numRuns },
			);
		},
		60_000 + numRuns * 200,
	);
}
