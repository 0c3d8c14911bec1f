import { readFile, stat } from "node:fs/promises";
import { type AgentGraph, validateAgent } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import { parseJson } from "./parse-json";

/** Bodies over this are refused before they are parsed. */
const MAX_BYTES = 2_000_000;

/**
 * Reads the JSON of an agent file, of any form.
 *
 * @throws ConfigurationError when it cannot be read, is too large, not text or not JSON.
 */
export async function readAgentJson(file: string): Promise<unknown> {
	return parseJson(await readText(file), file);
}

export async function readAgentFile(file: string): Promise<AgentGraph> {
	const validation = validateAgent(await readAgentJson(file));
	if (!validation.success) throw validation.error;
	return validation.graph;
}

async function readText(file: string): Promise<string> {
	try {
		const { size } = await stat(file);
		if (size > MAX_BYTES) throw tooLarge(file, size);
		const bytes = await readFile(file);
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch (error) {
		if (ConfigurationError.is(error)) throw error;
		throw new ConfigurationError(`${file}: ${explain(error)}`, { code: "file_unreadable", cause: error });
	}
}

function tooLarge(file: string, size: number): ConfigurationError {
	const megabytes = (size / 1e6).toFixed(1);
	return new ConfigurationError(
		`${file}: ${megabytes} MB is too large for an agent file; the maximum is 2 MB.`,
		{
			code: "file_too_large",
			hint: "Is this really the agent file? Pass documents with --docs.",
		},
	);
}

function explain(error: unknown): string {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	if (code === "ENOENT") return "There is no such file. Check the path.";
	if (code === "EISDIR") return "This is a folder; give the path of one agent file (JSON).";
	if (code === "EACCES" || code === "EPERM")
		return "Reading this file is not allowed. Check its permissions.";
	if (code === "ERR_ENCODING_INVALID_ENCODED_DATA" || error instanceof TypeError)
		return "This is not a text file in UTF-8. An agent file is JSON.";
	return `The file cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
