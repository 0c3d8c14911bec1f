import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { StorageError } from "../../storage-error";
import { type ConnectionVariables, toConnectionVariables } from "./connection-variables";
import type { DumpTool } from "./find-dump-tool";

/** End of what a program writes about its failure. */
const MAX_ERROR_CHARACTERS = 2_000;
/** Words of a system whose disk is full, and of Postgres. */
const DISK_FULL = /no space left on device|disk full|could not extend file/iu;

export type DumpProcess = ChildProcessByStdio<Writable, Readable, Readable>;

export interface DumpRun {
	/** Address of the database. */
	readonly url: string;
	readonly arguments: readonly string[];
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly signal?: AbortSignal | undefined;
	/** State after a failure, such as `Nothing was restored.` */
	readonly outcome: string;
	/** Advice after a failure whose reason is not known. */
	readonly advice: string;
	/** Reads what the program writes, or writes what it reads, to the end. */
	readonly transfer: (child: DumpProcess) => Promise<void>;
}

/**
 * Runs a program of Postgres until it has ended. What it is told of the database is in its environment, which has no settings
 * of the service. A program that is stopped cancels its statement in the server first.
 *
 * @throws StorageError `storage_full`, `storage_unavailable` where it fails; what `transfer` throws; `signal.reason` when it was
 * stopped. The program has ended then, too.
 */
export async function runDumpTool(tool: DumpTool, run: DumpRun): Promise<void> {
	const { signal, transfer } = run;
	signal?.throwIfAborted();
	const variables = toConnectionVariables(run.url, tool.version, run.environment);
	const child = spawn(tool.path, run.arguments, {
		env: toEnvironment(run.environment, variables),
		stdio: ["pipe", "pipe", "pipe"],
		// The signals of a terminal are for this process alone, which then ends the program.
		detached: process.platform !== "win32",
		windowsHide: true,
	});
	const readErrors = collectErrors(child.stderr);
	const closed = once(child, "close");
	closed.catch(() => undefined);
	child.stdin.on("error", () => undefined);
	const stop = (): void => void child.kill("SIGTERM");
	signal?.addEventListener("abort", stop, { once: true });
	let transferError: unknown;
	try {
		await transfer(child).catch((error: unknown) => {
			transferError = error;
			if (!isClosedPipe(error)) stop();
		});
		const [code] = await closed;
		signal?.throwIfAborted();
		if (code !== 0 && (transferError === undefined || isClosedPipe(transferError)))
			throw toolFailedError(tool, redact(readErrors(), variables), run);
		if (transferError !== undefined) throw transferError;
	} finally {
		signal?.removeEventListener("abort", stop);
	}
}

/** A program that has failed reads nothing more. */
const isClosedPipe = (error: unknown): boolean =>
	error instanceof Error &&
	"code" in error &&
	(error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");

function collectErrors(stderr: Readable): () => string {
	let text = "";
	stderr.setEncoding("utf8").on("data", (piece: string) => {
		text = (text + piece).slice(-MAX_ERROR_CHARACTERS);
	});
	return () => text.trim();
}

/** Keys and passwords of the service are not the program's. */
const toEnvironment = (
	environment: DumpRun["environment"],
	variables: ConnectionVariables,
): NodeJS.ProcessEnv => ({
	...Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("STEMMA_"))),
	...variables,
	LC_ALL: "C",
});

const redact = (text: string, { PGPASSWORD: password }: ConnectionVariables): string =>
	password === undefined ? text : text.replaceAll(password, "****");

function toolFailedError(
	{ name }: DumpTool,
	errors: string,
	{ outcome, advice }: Pick<DumpRun, "outcome" | "advice">,
): StorageError {
	const reason = toReason(errors);
	return DISK_FULL.test(errors)
		? new StorageError(`${name} failed, as a disk of the Postgres server is full. ${reason}`, {
				code: "storage_full",
				hint: `${outcome} Free some space on the disk of the Postgres server.`,
			})
		: new StorageError(`${name} failed. ${reason}`, {
				code: "storage_unavailable",
				hint: `${outcome} ${advice}`,
			});
}

/** Lines that say what is wrong; the others have statements, and rows of the tables. */
const toReason = (errors: string): string => {
	const lines = errors.split("\n").filter((line) => /\b(?:error|ERROR|FATAL|HINT):/u.test(line));
	return lines.length === 0 ? "It gave no reason." : lines.join(" ");
};
