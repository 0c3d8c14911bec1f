import { expect, it, vi } from "vitest";
import { RunLog } from "./run-log";
import type { LoggedEvent, RunBatch } from "./run-store";
import { RunsLostError } from "./runs-lost-error";

const event = (seq: number): LoggedEvent => ({ runId: "run_1", seq, type: "text.reset", json: "{}" });

/** A disk that takes each batch when it is told to. */
function slowDisk() {
	const batches: RunBatch[] = [];
	const waiting: ((error?: Error) => void)[] = [];
	const append = (batch: RunBatch): Promise<void> => {
		batches.push(batch);
		return new Promise((resolve, reject) =>
			waiting.push((error) => (error === undefined ? resolve() : reject(error))),
		);
	};
	return { batches, append, completeWrite: (error?: Error) => waiting.shift()?.(error) };
}

it("gathers what happens while the disk is busy", async () => {
	const disk = slowDisk();
	const written: number[][] = [];
	const log = new RunLog(disk, {
		onWritten: (events) => written.push(events.map(({ seq }) => seq)),
		onFailure: () => undefined,
	});
	log.append(event(1));
	log.append(event(2));
	await expect.poll(() => disk.batches.length).toBe(1);
	for (const seq of [3, 4, 5]) log.append(event(seq));
	expect(written).toEqual([]);
	disk.completeWrite();
	await expect.poll(() => disk.batches.length).toBe(2);
	expect(written).toEqual([[1, 2]]);
	disk.completeWrite();
	await log.flushed();
	expect(written).toEqual([
		[1, 2],
		[3, 4, 5],
	]);
});

it("keeps what a full disk refuses, and tries again", async () => {
	const disk = slowDisk();
	const onFailure = vi.fn();
	const written: number[] = [];
	const log = new RunLog(disk, {
		onWritten: (events) => written.push(...events.map(({ seq }) => seq)),
		onFailure,
		retryMs: 1,
	});
	log.append(event(1));
	await expect.poll(() => disk.batches.length).toBe(1);
	log.append(event(2));
	disk.completeWrite(new Error("full"));
	await expect.poll(() => disk.batches.length).toBe(2);
	disk.completeWrite();
	await expect.poll(() => disk.batches.length).toBe(3);
	disk.completeWrite();
	await log.flushed();
	expect(onFailure).toHaveBeenCalledOnce();
	expect(written).toEqual([1, 2]);
});

it("is flushed once what was appended before is written, whatever comes after", async () => {
	const disk = slowDisk();
	const log = new RunLog(disk, { onWritten: () => undefined, onFailure: () => undefined });
	let isFlushed = false;
	log.append(event(1));
	await expect.poll(() => disk.batches.length).toBe(1);
	log.append(event(2));
	const flushed = log.flushed().then(() => {
		isFlushed = true;
	});
	disk.completeWrite();
	await expect.poll(() => disk.batches.length).toBe(2);
	expect(isFlushed).toBe(false);
	// A busy workspace is never without something to write.
	log.append(event(3));
	disk.completeWrite();
	await expect.poll(() => disk.batches.length).toBe(3);
	await expect.poll(() => isFlushed).toBe(true);
	disk.completeWrite();
	await Promise.all([flushed, log.flushed()]);
});

it("tries no more once it is closed, and keeps nobody waiting", async () => {
	const onWritten = vi.fn();
	const onFailure = vi.fn();
	const append = async () => Promise.reject(new Error("The file is not open."));
	const log = new RunLog({ append }, { onWritten, onFailure, retryMs: 2 ** 30 });
	log.append(event(1));
	const flushed = log.flushed();
	await expect.poll(() => onFailure).toHaveBeenCalledOnce();
	log.close();
	await flushed;
	log.append(event(2));
	await log.flushed();
	expect(onFailure).toHaveBeenCalledTimes(2);
	expect(onWritten).not.toHaveBeenCalled();
});

it("drops the events of runs that another process has claimed, and writes the rest at once", async () => {
	const batches: RunBatch[] = [];
	const lost: string[] = [];
	const written: string[] = [];
	const log = new RunLog(
		{
			async append(batch) {
				batches.push(batch);
				if (batches.length === 1) throw new RunsLostError(["run_1"]);
			},
		},
		{
			onWritten: (events) => written.push(...events.map(({ runId }) => runId)),
			onLost: (runIds) => lost.push(...runIds),
			onFailure: (error) => expect.unreachable(String(error)),
			retryMs: 2 ** 30,
		},
	);
	const receipt = { id: "rcp_1", runId: "run_1", at: 1, receipt: "{}" };
	log.append(event(1));
	log.append({ ...event(1), runId: "run_2" });
	log.appendReceipt(receipt);
	await log.flushed();
	expect([lost, written]).toEqual([["run_1"], ["run_2"]]);
	// What was called is to be paid.
	expect(batches.map(({ receipts }) => receipts)).toEqual([[receipt], [receipt]]);
});

it("takes the state of a run when its batch is made, once", async () => {
	const disk = slowDisk();
	const onFailure = vi.fn();
	const log = new RunLog(disk, { onWritten: () => undefined, onFailure });
	log.append(event(1));
	await expect.poll(() => disk.batches.length).toBe(1);
	let state = "early";
	const take = vi.fn(() => ({ state, resumeContext: "{}" }));
	log.saveState("run_1", take);
	log.append(event(2));
	log.saveState("run_1", take);
	log.saveState("run_2", () => undefined);
	log.saveState("run_3", () => {
		throw new Error("No state.");
	});
	state = "late";
	disk.completeWrite();
	await expect.poll(() => disk.batches.length).toBe(2);
	expect(disk.batches[1]).toMatchObject({
		events: [{ seq: 2 }],
		states: [{ runId: "run_1", state: "late", resumeContext: "{}" }],
	});
	expect([take.mock.calls.length, onFailure.mock.calls.length]).toEqual([1, 1]);
	disk.completeWrite();
	await log.flushed();
});

it("is flushed once a state is stored, without any event", async () => {
	const disk = slowDisk();
	const log = new RunLog(disk, { onWritten: () => undefined, onFailure: () => undefined });
	log.saveState("run_1", () => ({ state: "s", resumeContext: "{}" }));
	let isFlushed = false;
	const flushed = log.flushed().then(() => {
		isFlushed = true;
	});
	await expect.poll(() => disk.batches.length).toBe(1);
	expect(isFlushed).toBe(false);
	disk.completeWrite();
	await flushed;
});
