import { isStemmaError } from "@stemma/core/errors";
import { createFolderSource } from "../folder/folder-source";
import { createMemorySource } from "../folder/memory-source";
import { parseAgentFile } from "../folder/parse-agent-file";
import { watchSource } from "../folder/watch-source";
import { type AgentCatalog, EMPTY_CATALOG, type Prepare, updateCatalog } from "./catalog";
import { describeAgents } from "./describe-agents";

/** The agent files as they are at any moment. */
export interface LiveCatalog {
	current(): AgentCatalog;
	/** Looks for changes no more. */
	stop(): void;
}

/**
 * Reads the agent files, and again whenever they change.
 *
 * @param agents - a folder, or what would be in its files, by id.
 * @throws ConfigurationError when the folder cannot be read.
 */
export async function openCatalog(
	agents: string | Readonly<Record<string, unknown>>,
	prepare: Prepare,
	log: (line: string) => void,
): Promise<LiveCatalog> {
	const source = typeof agents === "string" ? createFolderSource(agents) : createMemorySource(agents);
	let catalog = EMPTY_CATALOG;
	const stop = await watchSource(
		source,
		(files) => {
			const isChange = catalog !== EMPTY_CATALOG;
			catalog = updateCatalog(catalog, files.map(parseAgentFile), prepare);
			if (isChange) log(`Agent files changed. ${describeAgents(catalog.entries)}`);
		},
		(error) => log(`The agents stay as they were. ${isStemmaError(error) ? error.message : String(error)}`),
	);
	return { current: () => catalog, stop };
}
