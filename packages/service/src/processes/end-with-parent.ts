import { Worker } from "node:worker_threads";

/** Compares in a thread of its own, which also runs while a document holds the main thread for ever. */
const WATCH = `
const { ppid } = process;
setInterval(() => process.ppid === ppid || process.kill(process.pid, "SIGKILL"), 500);
`;

/** Ends this process soon after its parent has ended, however that was, and whatever this one is doing. */
export function endWithParent(): void {
	const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, codeRangeSizeMb: 1 };
	new Worker(WATCH, { eval: true, env: {}, execArgv: [], resourceLimits }).unref();
}
