import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createApiError } from "../errors/api-errors";
import { ConnectionError, TimeoutError } from "../errors/errors";
import { reduceRunStream } from "./reduce-run-stream";
import {
	createRunState,
	type RunEffects,
	type RunSignal,
	type RunStreamState,
	type StreamEvent,
} from "./run-stream-state";

type Result = { readonly status: string };
type State = RunStreamState<Result>;
type Signal = RunSignal<StreamEvent>;
type Effects = Readonly<RunEffects<StreamEvent, Result>>;

const LOST = new ConnectionError("lost", {});
const errorOf = (status: number) => createApiError({ status, code: "x", message: "m", requestId: "req_1" });

const eventAt = (seq: number, type = "text.delta"): StreamEvent => ({
	type,
	seq,
	run_id: "run_1",
	...(type.startsWith("run.") && type !== "run.started" && { result: { status: type.slice(4) } }),
});
const toSignal = (event: StreamEvent): Signal => ({ type: "event", event, length: 1, requestId: "req_1" });
const OPENED: Signal = { type: "opened", requestId: "req_1" };
const disconnected = (error?: unknown): Signal => ({ type: "disconnected", error });

/** Feeds signals to the reducer, one after the other. */
function run(signals: readonly Signal[], { isFull = false, now = 0, state = start() } = {}) {
	const steps: Effects[] = [];
	let current = state;
	for (const signal of signals) {
		const frozen = Object.freeze(current);
		const step = reduceRunStream<StreamEvent, Result>(frozen, signal, now, isFull);
		current = step.state;
		steps.push(step.effects);
	}
	return { state: current, steps, last: steps.at(-1) ?? {} };
}

const start = (): State => createRunState<Result>({}, 2);
const STARTED: readonly Signal[] = [{ type: "started" }, { type: "sent" }, OPENED];
const RUNNING: readonly Signal[] = [...STARTED, toSignal(eventAt(1, "run.started"))];

describe("a signal", () => {
	it.each<[name: string, signals: readonly Signal[], effects: Effects]>([
		["connects at first", [{ type: "started" }], { connect: 0 }],
		["queues an event", [...RUNNING, toSignal(eventAt(2))], { event: eventAt(2) }],
		["drops a repeat", [...RUNNING, toSignal(eventAt(1, "run.started"))], {}],
		[
			"ends reading and the run with its last event, and lets the body end",
			[...RUNNING, toSignal(eventAt(2, "run.completed"))],
			{ event: eventAt(2, "run.completed"), end: true, result: { status: "completed" } },
		],
		[
			"waits for the body at a pause",
			[...RUNNING, toSignal(eventAt(2, "run.paused"))],
			{ event: eventAt(2, "run.paused") },
		],
		[
			"ends with a pause when its body has ended",
			[...RUNNING, toSignal(eventAt(2, "run.paused")), disconnected()],
			{ end: true, result: { status: "paused" }, disconnect: true },
		],
		[
			"goes on behind a pause",
			[...RUNNING, toSignal(eventAt(2, "run.paused")), toSignal(eventAt(3))],
			{ event: eventAt(3) },
		],
		["tries again after a delay", [...RUNNING, disconnected(LOST), disconnected(LOST)], { connect: 2 }],
		["reads on at once behind a body that brought something", [...RUNNING, disconnected()], { connect: 0 }],
		[
			"fails where the service refuses",
			[...RUNNING, disconnected(errorOf(404))],
			{ failure: { error: errorOf(404) }, disconnect: true },
		],
		[
			"tries to start it so many times only",
			[{ type: "started" }, ...[1, 2, 3].map(() => disconnected(LOST))],
			{ failure: { error: LOST }, disconnect: true },
		],
		["cancels a run that is known", [...RUNNING, { type: "cancelled" }], { cancel: true }],
		["cancels once", [...RUNNING, { type: "cancelled" }, { type: "cancelled" }], {}],
		[
			"cancels again where it failed",
			[...RUNNING, { type: "cancelled" }, { type: "cancelFailed" }, { type: "cancelled" }],
			{ cancel: true },
		],
		["waits to cancel a run that is not known", [...STARTED, { type: "cancelled" }], {}],
		[
			"cancels it once it is",
			[...STARTED, { type: "cancelled" }, toSignal(eventAt(1, "run.started"))],
			{ event: eventAt(1, "run.started"), cancel: true },
		],
		[
			"keeps the connection of a run that is not known, when it is left",
			[...STARTED, { type: "closed" }],
			{},
		],
		["detaches from one that is", [...RUNNING, { type: "closed" }], { disconnect: true }],
		[
			"reads on for the result after that",
			[...RUNNING, { type: "closed" }, { type: "awaited" }],
			{ connect: 0 },
		],
		[
			"rejects and cancels at an abort",
			[...RUNNING, { type: "abandoned", error: "no" }],
			{ failure: { error: "no" }, disconnect: true, cancel: true },
		],
		[
			"waits for the id at an abort before it is known",
			[...STARTED, { type: "abandoned", error: "no" }],
			{ failure: { error: "no" } },
		],
		[
			"sends nothing for an abort that came before",
			[{ type: "abandoned", error: "no" }],
			{ failure: { error: "no" } },
		],
		[
			"asks for no run where the start was refused",
			[...STARTED, { type: "abandoned", error: "no" }, disconnected(errorOf(503))],
			{ disconnect: true },
		],
		[
			"gives up a body that does not end",
			[...RUNNING, toSignal(eventAt(2, "run.completed")), disconnected()],
			{ disconnect: true },
		],
	])("%s", (_, signals, expected) => {
		const { last } = run(signals);
		const present = Object.entries(last).filter(([, value]) => value !== undefined && value !== false);
		expect(Object.fromEntries(present)).toEqual(expected);
	});

	it("gives up after many disconnects in a row, and not before", () => {
		const drops = Array.from({ length: 9 }, () => [
			OPENED,
			disconnected(new TimeoutError("idleTimeoutMs", 1)),
		]).flat();
		const { steps } = run([...RUNNING, ...drops]);
		expect(steps.filter(({ connect }) => (connect ?? 0) > 0)).toHaveLength(8);
		expect(steps.at(-1)?.failure?.error).toMatchObject({ code: "stream_lost" });
	});

	it("counts no disconnect of a connection that was open for long", () => {
		const { state } = run([...RUNNING, disconnected(LOST), OPENED]);
		expect(run([disconnected(LOST)], { state, now: 5001 }).last.connect).toBe(1);
		expect(run([disconnected(LOST)], { state, now: 4999 }).last.connect).toBe(2);
	});

	it("refuses an event that names no run, and a last one without its result", () => {
		for (const event of [
			{ ...eventAt(1), run_id: ".." },
			{ ...eventAt(1), type: "run.completed" },
		])
			expect(() => run([...STARTED, toSignal(event)])).toThrow(
				expect.objectContaining({ code: "stream_invalid" }),
			);
	});
});

/** Deliveries of a log over connections that drop, repeat and skip: `from` is what a connection begins with. */
const deliveries = fc.array(
	fc.record({ from: fc.nat(12), count: fc.nat(12), isClean: fc.boolean(), skip: fc.nat(12) }),
	{ maxLength: 12 },
);
const LENGTH = 10;

describe("any deliveries", () => {
	/** The connections, and at last one that sends all that is missing. */
	const toSignals = (
		connections: readonly { from: number; count: number; isClean: boolean; skip: number }[],
		end: string,
	) => {
		const log = Array.from({ length: LENGTH }, (_, index) =>
			eventAt(index + 1, index === 0 ? "run.started" : index === LENGTH - 1 ? end : "text.delta"),
		);
		return [
			...STARTED,
			...connections.flatMap(({ from, count, isClean, skip }) => [
				OPENED,
				...log
					.slice(from, Math.min(from + count, LENGTH - 1))
					.filter((_, index) => index !== skip)
					.map(toSignal),
				disconnected(isClean ? undefined : LOST),
			]),
			OPENED,
			...log.map(toSignal),
			...log.map(toSignal),
			disconnected(),
		];
	};

	it.each(["run.completed", "run.failed", "run.cancelled", "run.paused"])(
		"give each event once, and one %s",
		(end) => {
			fc.assert(
				fc.property(deliveries, (connections) => {
					const { steps, state } = run(toSignals(connections, end));
					const queued = steps.flatMap(({ event }) => (event === undefined ? [] : [event]));
					const seqs = queued.map(({ seq }) => seq);
					if (steps.some(({ failure }) => failure !== undefined)) {
						expect(new Set(seqs).size).toBe(seqs.length);
						return;
					}
					expect([...seqs].sort((a, b) => a - b)).toEqual(
						Array.from({ length: LENGTH }, (_, index) => index + 1),
					);
					expect(queued.filter(({ type }) => type === end)).toHaveLength(1);
					expect(queued.at(-1)?.type).toBe(end);
					expect(steps.filter(({ result }) => result !== undefined)).toHaveLength(1);
					expect(steps.filter(({ end: isEnd }) => isEnd)).toHaveLength(1);
					expect(state).toMatchObject({ isConnected: false, isSettled: true, hasReader: false });
				}),
			);
		},
	);

	it("give them in order where connections begin where the last one ended", () => {
		fc.assert(
			fc.property(fc.array(fc.nat(4), { maxLength: 8 }), (counts) => {
				let from = 0;
				const connections = counts.map((count) => {
					const connection = { from: Math.max(0, from - 1), count: count + 1, isClean: true, skip: 99 };
					from = Math.min(from + count, LENGTH - 1);
					return connection;
				});
				const { steps } = run(toSignals(connections, "run.completed"));
				if (steps.some(({ failure }) => failure !== undefined)) return;
				expect(steps.flatMap(({ event }) => event?.seq ?? [])).toEqual(
					Array.from({ length: LENGTH }, (_, index) => index + 1),
				);
			}),
		);
	});
});

describe("any signals", () => {
	const signal: fc.Arbitrary<Signal> = fc.oneof(
		fc.constantFrom<Signal>(
			{ type: "sent" },
			OPENED,

			{ type: "starved" },
			{ type: "awaited" },
			{ type: "closed" },
			{ type: "cancelled" },
			{ type: "cancelFailed" },
			{ type: "abandoned", error: "no" },
			disconnected(),
			disconnected(LOST),
			disconnected(errorOf(404)),
			disconnected(errorOf(503)),
		),
		fc
			.record({
				seq: fc.integer({ min: 1, max: 8 }),
				type: fc.constantFrom("text.delta", "run.started", "run.paused", "run.completed"),
			})
			.map(({ seq, type }) => toSignal(eventAt(seq, type))),
	);

	it("settle once, queue nothing behind the end, and leave no connection open that nobody needs", () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(signal, fc.boolean()), { maxLength: 40 }), (signals) => {
				let state = run([{ type: "started" }]).state;
				let isConnected = true;
				let hasEnded = false;
				let settled = 0;
				for (const [next, isFull] of signals) {
					// A reader that was left, and a connection that has ended, say nothing any more.
					if (!isConnected && /^(sent|opened|event|disconnected)$/.test(next.type)) continue;
					if (hasEnded && next.type === "starved") continue;
					const step = reduceRunStream<StreamEvent, Result>(Object.freeze(state), next, 0, isFull);
					const { event, end, failure, result, connect, disconnect } = step.effects;
					expect(event !== undefined && hasEnded).toBe(false);
					hasEnded ||= end === true || failure !== undefined || next.type === "closed";
					settled += result !== undefined && !state.isSettled ? 1 : 0;
					if (result !== undefined) expect(state.isSettled).toBe(false);
					isConnected = connect !== undefined || (isConnected && disconnect !== true);
					expect(step.state.isConnected).toBe(isConnected);
					expect(step.state.hasReader && hasEnded).toBe(false);
					state = step.state;
				}
				expect(settled).toBeLessThanOrEqual(1);
			}),
		);
	});

	it("read events again that were not queued, up to the last one", () => {
		const more = [toSignal(eventAt(2)), toSignal(eventAt(3, "run.paused"))];
		const { state } = run([{ type: "awaited" }, ...more, disconnected()], {
			isFull: true,
			state: run(RUNNING).state,
		});
		expect(state).toMatchObject({ isSettled: true, hasReader: true, droppedAfter: 1, isConnected: false });
		const { steps, state: end } = run([{ type: "starved" }, OPENED, ...more, disconnected()], { state });
		expect(steps[0]?.connect).toBe(0);
		expect(steps.flatMap(({ event }) => event?.seq ?? [])).toEqual([2, 3]);
		expect(end).toMatchObject({ hasReader: false, isConnected: false });
	});
});
