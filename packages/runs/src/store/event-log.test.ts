import { completed, finalText, started } from "@stemma/simulators/run-events";
import { expect, it } from "vitest";
import { EventLog } from "./event-log";

const seqs = (log: EventLog, after: number) => log.after(after)?.map(({ seq }) => seq);

it("gives what comes after a number, also where numbers have gaps", () => {
	const log = new EventLog(10_000);
	expect(seqs(log, 0)).toEqual([]);
	for (const seq of [1, 2, 5, 9]) log.append(finalText("run_1", seq, "a"));
	for (const [after, expected] of [
		[0, [1, 2, 5, 9]],
		[1, [2, 5, 9]],
		[2, [5, 9]],
		[4, [5, 9]],
		[8, [9]],
		[9, []],
		[99, []],
	] as const)
		expect(seqs(log, after)).toEqual(expected);
	expect(log.lastSeq).toBe(9);
});

it("lets the oldest go when it grows too long, and says so; the newest stays", () => {
	const text = "a".repeat(1000);
	const one = JSON.stringify(finalText("run_1", 1, text)).length;
	const log = new EventLog(2.5 * one);
	for (const seq of [1, 2, 3, 4]) void log.append(finalText("run_1", seq, text)).json;
	expect(seqs(log, 1)).toBeUndefined();
	expect(seqs(log, 2)).toEqual([3, 4]);
	expect(log.length).toBe(2 * one);
	log.append(completed("run_1", 5, "x".repeat(3 * one)));
	expect(seqs(log, 3)).toBeUndefined();
	expect(seqs(log, 4)).toEqual([5]);
	expect(log.after(4)?.[0]?.json).toBe(JSON.stringify(completed("run_1", 5, "x".repeat(3 * one))));
});

it("keeps events as they were", () => {
	const log = new EventLog(10_000);
	log.append(started("run_1"));
	const end = completed("run_1", 2, "ü");
	const logged = log.append(end);
	const [first, last] = log.after(0) ?? [];
	expect(first).toMatchObject({ seq: 1, type: "run.started" });
	expect(JSON.parse(first?.json ?? "")).toEqual(started("run_1"));
	expect(JSON.parse(last?.json ?? "")).toEqual(end);
	expect(JSON.parse(logged.resultJson)).toEqual("result" in end && end.result);
	expect(log.after(1)?.[0]?.json).toBe(last?.json);
});

it("writes times as the wire has them, and counts what it holds", () => {
	const log = new EventLog(10_000);
	const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
	const event = {
		type: "text.delta",
		run_id: "r",
		seq: 1,
		at,
		node: "a",
		invocation: 1,
		text: "\u0000".repeat(500),
		final: true,
	} as const;
	const logged = log.append(event);
	expect(log.length).toBeGreaterThan(500);
	expect(JSON.parse(logged.json)).toEqual({ ...event, at: "2026-01-02T03:04:05.678Z" });
	expect(log.length).toBe(logged.json.length);
});
