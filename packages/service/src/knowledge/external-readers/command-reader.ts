import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Readable } from "node:stream";
import { watchMemory } from "../../processes/watch-memory";
import { type ExternalFile, type ExternalReader, readerFailedError, toReason } from "./external-reader";
import type { ReaderCommand, ReaderConfiguration } from "./reader-configuration";

/** Place in an argument where the path of the file is put. */
const FILE = "{file}";
const MEBIBYTE = 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;

/** Creates a reader that runs a program for each file, with a folder of its own and without the service's environment. */
export const createCommandReader = (reader: ReaderConfiguration, via: ReaderCommand): ExternalReader => ({
	name: reader.name,
	async convert(file, signal) {
		const folder = await mkdtemp(join(tmpdir(), "stemma-reader-"));
		try {
			const bytes = await runProgram(reader, via, { file, folder, signal });
			return { bytes, format: via.output };
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	},
});

interface ProgramRun {
	readonly file: ExternalFile;
	readonly folder: string;
	readonly signal: AbortSignal;
}

async function runProgram(
	{ name, timeoutMs, maxOutputBytes }: ReaderConfiguration,
	{ command, maxMemoryMebibytes }: ReaderCommand,
	{ file, folder, signal }: ProgramRun,
): Promise<Buffer> {
	const [program, ...parameters] = command;
	const path = join(folder, `document${toExtension(file.fileName)}`);
	const takesPath = parameters.some((parameter) => parameter.includes(FILE));
	if (takesPath) await writeFile(path, file.bytes, { mode: 0o600 });
	signal.throwIfAborted();
	const child = spawn(
		program,
		parameters.map((parameter) => parameter.replaceAll(FILE, path)),
		// A group of its own, so that what it starts ends with it.
		{ cwd: folder, env: toEnvironment(folder), stdio: "pipe", detached: process.platform !== "win32" },
	);
	let failure: Error | undefined;
	const end = (error: Error): void => {
		failure ??= error;
		killGroup(child);
	};
	const onAbort = (): void => end(signal.reason);
	signal.addEventListener("abort", onAbort, { once: true });
	const timer = setTimeout(
		() => end(readerFailedError(name, `took longer than ${timeoutMs / 1_000} s`)),
		timeoutMs,
	);
	const memory = watchMemory(child.pid, maxMemoryMebibytes * MEBIBYTE, () =>
		end(readerFailedError(name, `took more than ${maxMemoryMebibytes} MiB of memory`)),
	);
	const output = collect(child.stdout, maxOutputBytes, () =>
		end(readerFailedError(name, `gave more than ${maxOutputBytes / MEBIBYTE} MiB of text`)),
	);
	const errors = collect(child.stderr, MAX_ERROR_BYTES, () => undefined);
	// A program may end before it has read all of the file.
	child.stdin.on("error", () => undefined).end(takesPath ? undefined : file.bytes);
	try {
		const [code, killedBy] = await once(child, "close");
		if (failure !== undefined) throw failure;
		if (code === 0) return Buffer.concat(output);
		throw readerFailedError(name, describeEnd(code ?? killedBy, Buffer.concat(errors).toString()));
	} catch (error) {
		throw failure ?? toStartError(name, error);
	} finally {
		clearTimeout(timer);
		memory.stop();
		signal.removeEventListener("abort", onAbort);
		killGroup(child);
	}
}

const describeEnd = (end: unknown, errors: string): string =>
	[`ended with ${end}`, toReason(errors)].filter(Boolean).join(": ");

const toStartError = (name: string, error: unknown): unknown =>
	error instanceof Error && "syscall" in error && "code" in error
		? readerFailedError(name, `cannot be started: ${error.code}`, error)
		: error;

/** Collects the start of a stream. */
function collect(stream: Readable, maxBytes: number, onLimit: () => void): Buffer[] {
	const chunks: Buffer[] = [];
	let bytes = 0;
	stream.on("data", (chunk: Buffer) => {
		bytes += chunk.length;
		if (bytes <= maxBytes) chunks.push(chunk);
		else onLimit();
	});
	return chunks;
}

/** Ends a program and all that it has started. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
	if (pid === undefined) return;
	try {
		if (process.platform !== "win32") process.kill(-pid, "SIGKILL");
		else if (exitCode === null && signalCode === null) process.kill(pid, "SIGKILL");
	} catch {
		// It has ended.
	}
}

/** Programs find others by the path, and keep their own files in the folder of this run. */
const toEnvironment = (folder: string): NodeJS.ProcessEnv => ({
	PATH: process.env.PATH ?? "",
	HOME: folder,
	TMPDIR: folder,
	LANG: "C.UTF-8",
	...(process.env.SystemRoot !== undefined && { SystemRoot: process.env.SystemRoot }),
});

/** Extension of a name, of letters and digits alone; programs go by it. */
function toExtension(fileName: string | null): string {
	const extension = extname(fileName ?? "").toLowerCase();
	return /^\.[a-z0-9]{1,10}$/u.test(extension) ? extension : "";
}
