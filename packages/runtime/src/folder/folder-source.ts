import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { type AgentFile, type AgentSource, MAX_FILE_BYTES } from "./agent-source";

/**
 * The `.json` files that stand directly in a folder, without hidden ones. Links are followed, so that the swap of a link
 * (as Kubernetes does with a ConfigMap) is a change.
 *
 * @throws ConfigurationError, from both methods, when the folder is missing or cannot be read.
 */
export function createFolderSource(folder: string): AgentSource {
	return {
		async signature() {
			const names = await listNames(folder);
			const states = await Promise.all(names.map((name) => stateOf(join(folder, name))));
			return names.map((name, index) => `${name}:${states[index]}`).join("\n");
		},
		async read() {
			const names = await listNames(folder);
			const files = await Promise.all(names.map((name) => readAgentFile(folder, name)));
			return files.flatMap((file) => file ?? []);
		},
	};
}

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

async function stateOf(path: string): Promise<string> {
	try {
		const { ino, mtimeMs, ctimeMs, size } = await stat(path);
		return `${ino}:${mtimeMs}:${ctimeMs}:${size}`;
	} catch (error) {
		return codeOf(error) ?? "unreadable";
	}
}

/** Undefined for what is no file: a folder may be called `old.json` too. */
async function readAgentFile(folder: string, file: string): Promise<AgentFile | undefined> {
	try {
		const found = await stat(join(folder, file));
		if (!found.isFile()) return undefined;
		if (found.size > MAX_FILE_BYTES) return refuse(file, "file_too_large", tooLarge(found.size));
		return { file, bytes: await readFile(join(folder, file)) };
	} catch (error) {
		return refuse(file, "file_unreadable", explainFile(error));
	}
}

const refuse = (file: string, code: string, message: string): AgentFile => ({
	file,
	issue: { code, message, path: [] },
});

const tooLarge = (size: number): string =>
	`${(size / 1e6).toFixed(1)} MB is too large for an agent file; the most is 2 MB.`;

function explainFile(error: unknown): string {
	const code = codeOf(error);
	if (code === "ENOENT") return "The file is gone, or it is a link that leads nowhere.";
	if (code === "EACCES" || code === "EPERM")
		return "Reading this file is not allowed. Check its permissions.";
	return `The file cannot be read (${code ?? "unknown reason"}).`;
}

function explainFolder(error: unknown): string {
	const code = codeOf(error);
	if (code === "ENOENT") return "does not exist. Check the path.";
	if (code === "ENOTDIR") return "is a file. Give the folder that the agent files are in.";
	if (code === "EACCES" || code === "EPERM") return "may not be read. Check its permissions.";
	return `cannot be read (${code ?? "unknown reason"}).`;
}

const codeOf = (error: unknown): string | undefined =>
	error instanceof Error && "code" in error ? String(error.code) : undefined;
