import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { sep } from "node:path";
import { type AgentFile, MAX_FILE_BYTES } from "./agent-source";

/** A file that changes while it is read is read again, so often. */
const MAX_READS = 3;

/** Opening a named pipe waits for its other end otherwise; where a platform lacks the flag, it has no such pipes. */
const NON_BLOCKING_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Path of a file of the folder. `join` reads the whole path again, character by character: every second for every file, it
 * is the first that V8 optimizes, which takes 6 MB of resident memory.
 */
export const toPath = (folder: string, file: string): string => `${folder}${sep}${file}`;

/** Reads one file of the folder, or says why not; throws nothing, and never waits for what is no file. */
export async function readAgentFile(folder: string, file: string): Promise<AgentFile> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(toPath(folder, file), NON_BLOCKING_READ);
		return await readHandle(handle, file);
	} catch (error) {
		// A socket cannot be opened; with which error, every system says differently.
		const found = await stat(toPath(folder, file)).catch(() => undefined);
		if (found?.isFile() === false) return toRefusedFile(file, "not_a_file", NOT_A_FILE);
		return toRefusedFile(file, "file_unreadable", explainFile(error));
	} finally {
		await handle?.close().catch(() => undefined);
	}
}

async function readHandle(handle: FileHandle, file: string): Promise<AgentFile> {
	for (let reads = 0; reads < MAX_READS; reads += 1) {
		const before = await handle.stat();
		if (!before.isFile()) return toRefusedFile(file, "not_a_file", NOT_A_FILE);
		if (before.size > MAX_FILE_BYTES) return toRefusedFile(file, "file_too_large", tooLarge(before.size));
		// One byte more than there should be tells a file that grows.
		const buffer = Buffer.alloc(before.size + 1);
		const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
		if (bytesRead === before.size && isSame(before, await handle.stat()))
			return { file, bytes: buffer.subarray(0, bytesRead) };
	}
	return toRefusedFile(
		file,
		"file_changing",
		"The file changed repeatedly while it was read. It will be read again.",
	);
}

const isSame = (before: Stats, after: Stats): boolean =>
	before.size === after.size && before.mtimeMs === after.mtimeMs;

const NOT_A_FILE = "This is a pipe, a socket or a device, not a file. Remove it from the folder.";

const toRefusedFile = (file: string, code: string, message: string): AgentFile => ({
	file,
	issue: { code, message, path: [] },
});

const tooLarge = (size: number): string =>
	`${(size / 1e6).toFixed(1)} MB is too large for an agent file; the maximum is 2 MB.`;

const EXPLANATIONS: Readonly<Record<string, string>> = {
	ENOENT: "The file does not exist, or it is a broken link.",
	ELOOP: "The file is a link that leads in a circle.",
	EACCES: "Reading this file is not allowed. Check its permissions.",
	EPERM: "Reading this file is not allowed. Check its permissions.",
};

function explainFile(error: unknown): string {
	const code = getErrorCode(error) ?? "unknown reason";
	return EXPLANATIONS[code] ?? `The file cannot be read (${code}).`;
}

/** The code of an error of the file system. */
export const getErrorCode = (error: unknown): string | undefined =>
	error instanceof Error && "code" in error ? String(error.code) : undefined;
