import { readFile } from "node:fs/promises";
import type { ProcessorTime } from "../worker-threads/task-limit";

/** Tells whether the system reports what another process uses. Linux does. */
export const canReadProcessUsage = process.platform === "linux";

const KIBIBYTE = 1024;
/** Units of time in `/proc/…/stat`, the same on all of Linux's platforms. */
const TICKS_PER_SECOND = 100;
const MICROSECONDS_PER_TICK = 1_000_000 / TICKS_PER_SECOND;
/** Position of the user's time, counted from the field after the name, which may hold anything. */
const USER_TIME_FIELD = 11;

/** Processor time of a process, in microseconds. @throws when it has ended. */
export async function readProcessorTime(pid: number): Promise<ProcessorTime> {
	const line = await readFile(`/proc/${pid}/stat`, "latin1");
	const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
	const [user = 0, system = 0] = fields.slice(USER_TIME_FIELD, USER_TIME_FIELD + 2).map(Number);
	return { user: user * MICROSECONDS_PER_TICK, system: system * MICROSECONDS_PER_TICK };
}

/** Resident memory of a process. @throws when it has ended. */
export async function readResidentBytes(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, "latin1");
	return Number(/^VmRSS:\s*(\d+) kB/mu.exec(status)?.[1] ?? 0) * KIBIBYTE;
}
