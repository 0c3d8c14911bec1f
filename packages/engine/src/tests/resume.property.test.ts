import type { AgentGraph, Json, RunEvent, RunResult } from "@stemma/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryGraph, arbitraryInput, arbitraryLines } from "../test-support/arbitrary-graph";
import { checkRun } from "../test-support/check-run";
import { compareRuns } from "../test-support/reference-comparison";
import { interpret } from "../test-support/reference-interpreter";
import { type InterruptedRun, runInterrupted } from "../test-support/reference-interruption";
import { createReferencePorts } from "../test-support/reference-ports";
import type { ReferencePorts } from "../test-support/reference-types";

/** How many graphs of each kind; more where the environment says so. */
const numRuns = Number(process.env.STEMMA_ENGINE_GRAPHS ?? 120);

const timeout = 10_000 + numRuns * 60;

const parts = { nodes: 10, edges: 18, hasHandoffs: true, hasApprovals: true };

/** What happened, without when, and without that it was interrupted. */
const toComparableEvents = (events: readonly RunEvent[]): Json =>
	events.flatMap((event): Json[] => {
		const { at: _, seq: __, ...rest } = event as RunEvent & { result?: RunResult };
		return event.type === "run.paused" || event.type === "run.resumed" ? [] : [toJson(rest)];
	});

const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));

/** A model or an agent was telling its answer: it is asked again, or its outcome is not known. */
const wasStreaming = ({ saved }: InterruptedRun): boolean => saved.some(({ type }) => type === "text.delta");

it(
	"a run that is interrupted anywhere, any number of times, goes on as if it were not",
	async () => {
		let [same, streamed] = [0, 0];
		const stops = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
		await fc.assert(
			fc.asyncProperty(
				arbitraryGraph({ ...parts, isSequential: true }),
				arbitraryLines(true),
				arbitraryInput,
				stops,
				async (graph, lines, input, draws) => {
					const referencePorts = createReferencePorts(lines, true);
					const whole = await runInterrupted(graph, referencePorts, input, { stops: [] });
					checkRun(withoutPauses(whole.events), whole.result);
					// Half of the runs are not saved while an answer is told.
					const positions = whole.events.flatMap(({ type }, index) =>
						(draws[0] ?? 0) % 2 === 0 && type === "text.delta" ? [] : [index + 1],
					);
					const stops = draws.map((draw) => positions[draw % positions.length] ?? 1);
					const interrupted = await runInterrupted(graph, referencePorts, input, { stops });
					expectNumbers(interrupted.events);
					if (wasStreaming(interrupted)) streamed += expectSameEnd(interrupted);
					else {
						same += interrupted.saved.length;
						expect(toComparableEvents(interrupted.events)).toEqual(toComparableEvents(whole.events));
						expect(toJson(interrupted.result)).toEqual(toJson(whole.result));
					}
				},
			),
			{ numRuns },
		);
		expect(same).toBeGreaterThan(numRuns / 2);
		expect(streamed).toBeGreaterThan(0);
	},
	timeout,
);

/** Events as `checkRun` takes them, which knows no pauses; that they are numbered on is checked apart. */
const withoutPauses = (events: readonly RunEvent[]): RunEvent[] =>
	events
		.filter(({ type }) => type !== "run.paused" && type !== "run.resumed")
		.map((event, index) => ({ ...event, seq: index + 1 }));

const expectNumbers = (events: readonly RunEvent[]): void =>
	expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));

/** What is told is what the result says, however often it was begun. */
function expectSameEnd({ events, result }: InterruptedRun): number {
	let answer = "";
	for (const event of events) {
		if (event.type === "text.reset") answer = "";
		if (event.type === "text.delta" && event.final) answer += event.text;
	}
	expect(answer).toBe(typeof result.output === "string" ? result.output : "");
	const started = events.flatMap((event) => (event.type === "node.started" ? [event.invocation] : []));
	const ended = events.flatMap((event) =>
		event.type === "node.completed" || event.type === "node.failed" ? [event.invocation] : [],
	);
	expect([...ended].sort()).toEqual([...started].sort());
	return 1;
}

it(
	"approvals may be decided in any order, one at a time or together",
	async () => {
		let pauses = 0;
		const draws = fc.infiniteStream(fc.nat(5));
		await fc.assert(
			fc.asyncProperty(
				arbitraryGraph({ ...parts, isSequential: false }),
				arbitraryLines(false),
				arbitraryInput,
				draws,
				async (graph, lines, input, draw) => {
					const referencePorts = createReferencePorts(lines, false);
					const run = await runInterrupted(graph, referencePorts, input, {
						stops: [],
						choose(open) {
							expect(new Set(open.map(({ approval_id }) => approval_id)).size).toBe(open.length);
							const max = 1 + ((draw.next().value ?? 0) % open.length);
							const first = (draw.next().value ?? 0) % open.length;
							return [...open.slice(first), ...open.slice(0, first)].slice(0, max);
						},
					});
					pauses += run.pauses;
					expectNumbers(run.events);
					compareRuns(reference(graph, referencePorts, input), run, graph);
				},
			),
			{ numRuns },
		);
		expect(pauses).toBeGreaterThan(0);
	},
	timeout,
);

it(
	"whenever many things are under way, each call of a tool or an agent is made at most once, and the run ends",
	async () => {
		let made = 0;
		await fc.assert(
			fc.asyncProperty(
				arbitraryGraph({ ...parts, isSequential: false }),
				arbitraryLines(false),
				arbitraryInput,
				fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
				fc.infiniteStream(fc.nat(8)),
				async (graph, lines, input, stops, waits) => {
					const calls: string[] = [];
					const run = await runInterrupted(
						graph,
						countCalls(createReferencePorts(lines, false), calls),
						input,
						{
							stops,
							async wait() {
								for (let remaining = waits.next().value ?? 0; remaining > 0; remaining -= 1) await undefined;
							},
						},
					);
					made += calls.length;
					expectNumbers(run.events);
					expectSameEnd(run);
					for (const node of new Set(calls)) {
						const isIt = (event: RunEvent) => event.type === "node.started" && event.node === node;
						expect(calls.filter((one) => one === node).length).toBeLessThanOrEqual(
							run.events.filter(isIt).length,
						);
					}
				},
			),
			{ numRuns },
		);
		expect(made).toBeGreaterThan(numRuns / 10);
	},
	timeout,
);

/** A world that notes which tools and agents were called. */
const countCalls = (referencePorts: ReferencePorts, calls: string[]): ReferencePorts => ({
	...referencePorts,
	call(node, args) {
		calls.push(node);
		return referencePorts.call(node, args);
	},
	ask(node, input) {
		calls.push(node);
		return referencePorts.ask(node, input);
	},
});

const reference = (graph: AgentGraph, referencePorts: ReturnType<typeof createReferencePorts>, input: Json) =>
	interpret(graph, input, () => 'Answer for "Ada".', referencePorts);
