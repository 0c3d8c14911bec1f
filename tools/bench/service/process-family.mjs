import { readdirSync, readFileSync } from "node:fs";

const MEBIBYTE_IN_KIB = 1024;

/** A processor's time is counted in these (`USER_HZ` of Linux). */
const TICK_MS = 10;

/**
 * Memory of a process and of those that it has started, in MiB. Pages that several share count once (proportional set size),
 * as they do in the limit of a container. On Linux alone.
 */
export const readFamilyMebibytes = (root) => sum(listFamily(root).map(readPss)) / MEBIBYTE_IN_KIB;

/** Processor time of a process and of those that it has started, so far, in milliseconds. On Linux alone. */
export const readFamilyCpuMs = (root) =>
	sum(listFamily(root).map((pid) => readTicks(pid, pid === root))) * TICK_MS;

function listFamily(root) {
	const parents = new Map(
		readdirSync("/proc")
			.filter((name) => /^\d+$/u.test(name))
			.map((name) => [Number(name), readParent(name)]),
	);
	const isOfFamily = (pid) => pid === root || (parents.has(pid) && isOfFamily(parents.get(pid)));
	return [...parents.keys()].filter(isOfFamily);
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Fields of `/proc/<pid>/stat` from the third on: the name before them may hold anything. */
function readStat(pid) {
	const line = readProc(`${pid}/stat`);
	return line.slice(line.lastIndexOf(")") + 2).split(" ");
}

const readParent = (pid) => Number(readStat(pid)[1]);

/** @param withEnded - with the processes that it has started and that have ended. */
const readTicks = (pid, withEnded) =>
	sum(
		readStat(pid)
			.slice(11, withEnded ? 15 : 13)
			.map(Number),
	);

const readPss = (pid) => Number(/^Pss:\s*(\d+) kB/mu.exec(readProc(`${pid}/smaps_rollup`))?.[1] ?? 0);

/** A process that has ended has no files. */
function readProc(path) {
	try {
		return readFileSync(`/proc/${path}`, "latin1");
	} catch {
		return "";
	}
}
