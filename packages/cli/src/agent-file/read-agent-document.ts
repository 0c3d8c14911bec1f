import { text as readAll } from "node:stream/consumers";
import { type AgentGraph, type AgentGraphError, validateAgent } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { Terminal } from "../terminal/terminal";
import { parseJson } from "./parse-json";
import { readAgentJson } from "./read-agent-file";

/** What an agent file is: a graph, or a manifest that names an agent of a service. */
export type AgentDocument =
	| { readonly form: "graph"; readonly graph: AgentGraph }
	| { readonly form: "manifest"; readonly remoteAgentId: string; readonly name: string | undefined }
	| { readonly form: "invalid"; readonly error: AgentGraphError };

/** Stands for standard input among the names of files. */
export const STANDARD_INPUT = "-";

/**
 * Reads a file of either form, or standard input.
 *
 * @throws ConfigurationError for what cannot be read, is too large or not JSON.
 */
export async function readAgentDocument(
	{ stdin }: Pick<Terminal, "stdin">,
	file: string,
): Promise<AgentDocument> {
	const json = file === STANDARD_INPUT ? parseJson(await readAll(stdin), "stdin") : await readAgentJson(file);
	if (isJsonObject(json) && typeof json.remoteAgentId === "string" && !("nodes" in json))
		return {
			form: "manifest",
			remoteAgentId: json.remoteAgentId,
			name: typeof json.name === "string" ? json.name : undefined,
		};
	const validation = validateAgent(json);
	return validation.success
		? { form: "graph", graph: validation.graph }
		: { form: "invalid", error: validation.error };
}
