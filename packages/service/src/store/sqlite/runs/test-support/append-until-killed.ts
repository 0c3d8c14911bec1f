// A process that appends events to new runs until it is killed: `node append-until-killed.mjs <file> <prefix of ids>`. It
// prints the id and the sequence number of each event that was confirmed.
import { toEventRecord } from "@stemma/runs";
import { openRunFile } from "./run-files";

const [path = "", prefix = ""] = process.argv.slice(2);
const { log, createRun } = openRunFile(path);
const at = Date.now();

async function appendRun(runId: string, end: number): Promise<void> {
	await createRun(runId);
	for (let seq = 1; seq <= end; seq++) {
		const base = { run_id: runId, seq, at };
		const result = { run_id: runId, status: "completed", output: "" } as const;
		const done = { ...result, citations: [], usage: EMPTY_USAGE, receipt: [] };
		const isEnd = seq === end;
		const event = isEnd
			? ({ ...base, type: "run.completed", result: done } as const)
			: ({ ...base, type: "text.delta", node: "desk", invocation: 1, text: "word ", final: true } as const);
		log.append({
			...toEventRecord(event),
			runId,
			...(isEnd && { status: "completed", endedAt: at }),
		});
		await log.flushed();
		await print(`${runId} ${seq}\n`);
	}
}

/** Waits until the line was written: without a turn of the event loop, what a full pipe does not take is never sent. */
const print = (line: string): Promise<void> =>
	new Promise((resolve, reject) => {
		process.stdout.write(line, (error) => (error ? reject(error) : resolve()));
	});

const EMPTY_USAGE = { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 };

async function work(worker: number): Promise<never> {
	for (let run = 0; ; run++) await appendRun(`run_${prefix}_${worker}_${run}`, 2 + ((worker + run) % 30));
}

await Promise.all([1, 2, 3, 4].map(work));
