import { readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";

/** Resident memory of a process in bytes: now, and the most so far; undefined where the system does not say. */
export function readResidentBytes(pid: number): { readonly now: number; readonly peak: number } | undefined {
	const text = readProc(`/proc/${pid}/status`);
	const read = (field: string): number =>
		Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? Number.NaN) * 1024;
	const ticks = { now: read("VmRSS"), peak: read("VmHWM") };
	return Number.isNaN(ticks.now) ? undefined : ticks;
}

/** Jiffies: of the whole machine without idle time, and of some processes. */
export interface CpuTimes {
	readonly busy: number;
	readonly ours: number;
	readonly at: number;
}

/** @param pids - whose time is ours; those of their threads included. */
export function readCpuTimes(pids: readonly number[]): CpuTimes {
	const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
		/^cpu +(.*)$/m.exec(readProc("/proc/stat"))?.[1] ?? ""
	)
		.split(" ")
		.map(Number);
	return {
		busy: user + nice + system + irq + softirq + steal,
		ours: pids.reduce((sum, pid) => sum + readProcessTime(pid), 0),
		at: performance.now(),
	};
}

const JIFFIES_PER_SECOND = 100;

/** Share (0 to 1) of all cores that other processes took between two readings. */
export function shareOfOthers(from: CpuTimes, to: CpuTimes): number {
	const seconds = (to.at - from.at) / 1000;
	const others = to.busy - from.busy - (to.ours - from.ours);
	return Math.max(0, others / JIFFIES_PER_SECOND / seconds / availableParallelism());
}

function readProcessTime(pid: number): number {
	// The name of the program, in parentheses, may have spaces.
	const fields = readProc(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
	return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

function readProc(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
}

/** Bytes of all files in a folder. */
export async function readFolderBytes(folder: string): Promise<number> {
	const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
	const sizes = await Promise.all(
		names.map((name) =>
			stat(join(folder, name)).then(
				(entry) => (entry.isFile() ? entry.size : 0),
				() => 0,
			),
		),
	);
	return sizes.reduce((sum, size) => sum + size, 0);
}
