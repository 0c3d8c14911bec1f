import { type ChildProcess, spawn } from "node:child_process";
import { Duplex, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { WorkerFailureReason } from "../worker-threads/worker-failure";
import { listPermissions } from "./list-permissions";
import { CHANNEL_DESCRIPTOR } from "./process-message";

/** Process of Node, with the socket to it. */
export interface Child {
	readonly child: ChildProcess;
	readonly channel: Duplex;
	/** Reason why the process has ended. */
	readFailure(): { readonly reason: WorkerFailureReason; readonly message: string };
}

export interface ChildOptions {
	/** A module that calls `serveProcess`. */
	readonly script: URL;
	/** Heap of the process, in MiB. */
	readonly memoryMebibytes: number;
	/** Half of the space for new objects, in MiB; the larger it is, the fewer of them are copied. Default 4. */
	readonly semiSpaceMebibytes?: number | undefined;
	/** Folders that the process may read, besides those of the script and its packages. Default: none. */
	readonly readableFolders?: readonly string[] | undefined;
}

/** End of what a process writes about its failure. */
const MAX_ERROR_CHARACTERS = 2_000;
/** Small, for the sake of memory. With half of it, garbage of a document is promoted, and reading takes a fifth more time. */
const DEFAULT_SEMI_SPACE_MEBIBYTES = 4;

/** Starts Node with a script, without this process's environment, descriptors and permissions. */
export function spawnChild({
	script,
	memoryMebibytes,
	semiSpaceMebibytes = DEFAULT_SEMI_SPACE_MEBIBYTES,
	readableFolders,
}: ChildOptions): Child {
	const flags = [
		`--max-old-space-size=${memoryMebibytes}`,
		`--max-semi-space-size=${semiSpaceMebibytes}`,
		"--v8-pool-size=1",
		"--no-warnings",
		...listPermissions(script, readableFolders),
	];
	const child = spawn(process.execPath, [...flags, fileURLToPath(script)], {
		env: toEnvironment(),
		stdio: ["ignore", "ignore", "pipe", "pipe"],
		// The signals of a terminal are for the service alone.
		detached: process.platform !== "win32",
		windowsHide: true,
	});
	const { [CHANNEL_DESCRIPTOR]: channel } = child.stdio;
	if (!(channel instanceof Duplex)) throw new Error("The process has no channel.");
	let errors = "";
	if (child.stderr instanceof Readable)
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			errors = (errors + text).slice(-MAX_ERROR_CHARACTERS);
		});
	return { child, channel, readFailure: () => toFailure(child, errors) };
}

/** Size of memory blocks from which glibc gives each back to the system. Left alone, it raises that to 32 MiB in time. */
const LARGE_BLOCK_BYTES = 128 * 1024;

/** Two pools of memory instead of eight for each processor. Windows starts no program without its own folder. */
const toEnvironment = (): NodeJS.ProcessEnv => ({
	MALLOC_ARENA_MAX: "2",
	MALLOC_MMAP_THRESHOLD_: String(LARGE_BLOCK_BYTES),
	MALLOC_TRIM_THRESHOLD_: String(LARGE_BLOCK_BYTES),
	UV_THREADPOOL_SIZE: "1",
	...(process.env.SystemRoot !== undefined && { SystemRoot: process.env.SystemRoot }),
});

/** Words of V8 when its heap is full, before it aborts. */
const HEAP_FULL = /heap out of memory|Array buffer allocation failed/iu;

/** The kernel ends with SIGKILL what takes too much memory of the machine. */
function toFailure(child: ChildProcess, errors: string): ReturnType<Child["readFailure"]> {
	const { signalCode, exitCode } = child;
	const isOutOfMemory = signalCode === "SIGKILL" || HEAP_FULL.test(errors);
	const message = `The process ended with ${signalCode ?? exitCode}. ${errors}`.trim();
	return { reason: isOutOfMemory ? "out_of_memory" : "crashed", message };
}
