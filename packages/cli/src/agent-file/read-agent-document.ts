import { text as readAll } from "node:stream/consumers";
import { type AgentGraph, AgentGraphError, validateAgent } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { ManifestCheck } from "@stemma/runtime";
import type { Terminal } from "../terminal/terminal";
import { parseJson } from "./parse-json";
import { readAgentJson } from "./read-agent-file";

/** Content of an agent file: a graph, or a manifest that names an agent of a service. */
export type AgentDocument =
	| { readonly form: "graph"; readonly graph: AgentGraph }
	| {
			readonly form: "manifest";
			readonly remoteAgentId: string;
			readonly name: string | undefined;
			/** Fields that are not known and are ignored. */
			readonly warnings: ManifestCheck["warnings"];
	  }
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
	if (isJsonObject(json) && !("nodes" in json)) {
		// Only the runtime knows what a manifest is; loaded for what is no graph alone.
		const { checkManifest } = await import("@stemma/runtime");
		const manifest = checkManifest(json);
		if (manifest !== undefined) return toManifest(manifest, json.name);
	}
	const validation = validateAgent(json);
	return validation.success
		? { form: "graph", graph: validation.graph }
		: { form: "invalid", error: validation.error };
}

function toManifest({ remoteAgentId, issues, warnings }: ManifestCheck, name: unknown): AgentDocument {
	if (issues.length > 0) {
		const violations = issues.map(({ message, path }) => ({ code: "invalid_shape", message, path }) as const);
		return { form: "invalid", error: new AgentGraphError(violations) };
	}
	return { form: "manifest", remoteAgentId, name: typeof name === "string" ? name : undefined, warnings };
}
