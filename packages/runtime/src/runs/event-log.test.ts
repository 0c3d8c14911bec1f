import { expect, it } from "vitest";
import { completed, finalText, started } from "../test-support/scripted";
import { createEventLog } from "./event-log";

const seqs = (log: ReturnType<typeof createEventLog>, after: number) =>
	log.after(after)?.map(({ seq }) => seq);

it("gives what comes after a number, also where numbers have gaps", () => {
	const log = createEventLog(10_000);
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
	const one = JSON.stringify(finalText("run_1", 1, "a")).length;
	const log = createEventLog(2 * one);
	for (const seq of [1, 2, 3, 4]) log.append(finalText("run_1", seq, "a"));
	expect(seqs(log, 1)).toBeUndefined();
	expect(seqs(log, 2)).toEqual([3, 4]);
	expect(log.length).toBe(2 * one);
	log.append(completed("run_1", 5, "x".repeat(3 * one)));
	expect(seqs(log, 3)).toBeUndefined();
	expect(seqs(log, 4)).toEqual([5]);
	expect(log.after(4)?.[0]?.json).toBe(JSON.stringify(completed("run_1", 5, "x".repeat(3 * one))));
});

it("keeps events as they were", () => {
	const log = createEventLog(10_000);
	log.append(started("run_1"));
	expect(log.after(0)).toEqual([{ seq: 1, type: "run.started", json: JSON.stringify(started("run_1")) }]);
});
