import { readdirSync, readFileSync } from "node:fs";

/** Ids of the processes that a process has started and that have not ended; on Linux alone. */
export const listChildren = (parent: number): number[] =>
	readdirSync("/proc")
		.filter((name) => /^\d+$/u.test(name))
		.map(Number)
		.filter((pid) => readParent(pid) === parent);

/** Checks whether a process runs; one that nobody has waited for has ended too. */
export const isRunning = (pid: number): boolean => readParent(pid) !== undefined;

function readParent(pid: number): number | undefined {
	try {
		const line = readFileSync(`/proc/${pid}/stat`, "latin1");
		const [state, parent] = line.slice(line.lastIndexOf(")") + 2).split(" ");
		return state === "Z" || state === "X" ? undefined : Number(parent);
	} catch {
		return undefined;
	}
}
