import { readdir, readlink, stat } from "node:fs/promises";
import { ConfigurationError } from "@stemma/core/errors";
import type { AgentSource } from "./agent-source";
import { getErrorCode, readAgentFile, toPath } from "./read-agent-file";

/** Number of files that are read at once: enough for a network drive, and the event loop is free in between. */
const CONCURRENCY = 16;

/** The link that Kubernetes swaps when a ConfigMap changes: all its files lead through it. */
const SWAPPED_LINK = "..data";
/** Files that lead through a link that keeps being swapped are taken as they are. */
const MAX_SWAPS = 3;

/**
 * The `.json` files that stand directly in a folder, without hidden ones. Links are followed, so that the swap of a link
 * (as Kubernetes does with a ConfigMap) is a change. Folders are passed over; what else is no file is listed as such.
 */
export function createFolderSource(folder: string, pollMs?: number): AgentSource {
	let states: ReadonlyMap<string, string> = new Map();
	let isRead = false;
	return {
		...(pollMs !== undefined && { pollMs }),
		async readChanges(recheck) {
			const next = await readStates(folder);
			const names = [...next.keys()];
			const changed = names.filter((name) => next.get(name) !== states.get(name) || recheck.has(name));
			if (isRead && changed.length + recheck.size === 0 && names.length === states.size) return undefined;
			isRead = true;
			// Older than what is read, so that a change in between is seen next time.
			states = next;
			return { names, changed: inBatches(changed, (name) => readAgentFile(folder, name)) };
		},
	};
}

/**
 * Reads, for each file, a state that differs after a change. All are of one version, even if a link is swapped
 * meanwhile.
 */
async function readStates(folder: string): Promise<ReadonlyMap<string, string>> {
	for (let swaps = 0; ; swaps += 1) {
		const before = await readTarget(folder);
		const names = await listNames(folder);
		const states = new Map<string, string>();
		for await (const [name, state] of inBatches(names, (name) => readState(folder, name)))
			if (state !== FOLDER) states.set(name, state);
		if (swaps === MAX_SWAPS || before === (await readTarget(folder))) return states;
	}
}

const readTarget = (folder: string): Promise<string | undefined> =>
	readlink(toPath(folder, SWAPPED_LINK)).catch(() => undefined);

async function listNames(folder: string): Promise<string[]> {
	try {
		const names = await readdir(folder);
		return names.filter((name) => name.endsWith(".json") && !name.startsWith(".")).sort();
	} catch (error) {
		throw new ConfigurationError(`The agent folder ${JSON.stringify(folder)} ${explainFolder(error)}`, {
			code: "folder_unreadable",
			cause: error,
		});
	}
}

const FOLDER = "folder";

async function readState(folder: string, name: string): Promise<readonly [name: string, state: string]> {
	try {
		const found = await stat(toPath(folder, name));
		const { ino, mtimeMs, ctimeMs, size } = found;
		return [name, found.isDirectory() ? FOLDER : `${ino}:${mtimeMs}:${ctimeMs}:${size}`];
	} catch (error) {
		return [name, getErrorCode(error) ?? "unreadable"];
	}
}

/** Results for all names, in order; as many at once as a batch has. */
async function* inBatches<Result>(
	names: readonly string[],
	read: (name: string) => Promise<Result>,
): AsyncGenerator<Result> {
	for (let index = 0; index < names.length; index += CONCURRENCY)
		yield* await Promise.all(names.slice(index, index + CONCURRENCY).map(read));
}

function explainFolder(error: unknown): string {
	const code = getErrorCode(error);
	if (code === "ENOENT") return "does not exist. Check the path.";
	if (code === "ENOTDIR") return "is a file. Give the folder that the agent files are in.";
	if (code === "EACCES" || code === "EPERM") return "may not be read. Check its permissions.";
	return `cannot be read (${code ?? "unknown reason"}).`;
}
