import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Memory limit for one process: a control group where this user may make one, else sampling. */
export interface MemoryLimit {
	readonly kind: "cgroup v1" | "cgroup v2" | "sampling";
	/** A command in the form of `spawn`: the same program within the limit. */
	wrap(command: string, args: readonly string[]): { readonly command: string; readonly args: string[] };
	/** Removes the control group; its processes must have ended. */
	remove(): void;
}

/** Node arguments where no control group tells Node how much memory there is. */
const HEAP_SHARE = 0.5;
const MEBIBYTE = 2 ** 20;

/**
 * @param bytes - more than this ends the process (control group) or the run (sampling).
 * @param what - part of the name of the control group.
 */
export function createMemoryLimit(bytes: number, what: string): MemoryLimit {
	const name = `stemma-hostile-${what}-${process.pid}`;
	return (
		tryGroup("cgroup v1", join("/sys/fs/cgroup/memory", name), "memory.limit_in_bytes", bytes) ??
		tryGroup("cgroup v2", join("/sys/fs/cgroup", name), "memory.max", bytes) ?? {
			kind: "sampling",
			wrap: (command, args) => ({
				command,
				args: [`--max-old-space-size=${Math.floor((bytes * HEAP_SHARE) / MEBIBYTE)}`, ...args],
			}),
			remove: () => undefined,
		}
	);
}

function tryGroup(
	kind: "cgroup v1" | "cgroup v2",
	folder: string,
	limitFile: string,
	bytes: number,
): MemoryLimit | undefined {
	try {
		mkdirSync(folder);
	} catch {
		return undefined;
	}
	try {
		const file = join(folder, limitFile);
		// A file that the kernel did not make is no limit.
		readFileSync(file);
		writeFileSync(file, String(bytes));
	} catch {
		removeFolder(folder);
		return undefined;
	}
	return {
		kind,
		// The process enters the group before it starts Node, which reads the limit when it starts.
		wrap: (command, args) => ({
			command: "/bin/sh",
			args: ["-c", 'echo $$ > "$0" && exec "$@"', join(folder, "cgroup.procs"), command, ...args],
		}),
		remove: () => removeFolder(folder),
	};
}

function removeFolder(folder: string): void {
	try {
		rmdirSync(folder);
	} catch {
		// Its last process is still on its way out: an empty group costs nothing.
	}
}
