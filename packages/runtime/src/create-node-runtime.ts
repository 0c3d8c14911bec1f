import { createRuntimeFrom, type Runtime, type RuntimeSettings } from "./create-runtime";
import type { AgentSource } from "./folder/agent-source";
import { createFolderSource } from "./folder/folder-source";
import { createMemorySource } from "./folder/memory-source";
import { createSchemaThread } from "./schema-check/schema-thread";

/** Options of a runtime over a folder of agent files, on Node. */
export interface NodeRuntimeOptions extends RuntimeSettings {
	/** The folder of agent files, which is watched; or what would be in them, or what `defineAgent` gives, by id. */
	readonly agents: string | Readonly<Record<string, unknown>>;
	/** Pause between two looks at the folder, in milliseconds; longer where a look takes long. Default 1,000. */
	readonly pollMs?: number | undefined;
}

/**
 * Loads agents and serves them as a web-standard handler. Without a token, only requests to and from a loopback address
 * are answered.
 *
 * @throws ConfigurationError when the folder cannot be read, for a bad token, for tools that cannot be called, and with
 * `strict` for a bad file.
 */
export const createNodeRuntime = ({ agents, pollMs, ...settings }: NodeRuntimeOptions): Promise<Runtime> =>
	createRuntimeFrom(toSource({ agents, pollMs }), settings, createSchemaThread());

export const toSource = ({ agents, pollMs }: Pick<NodeRuntimeOptions, "agents" | "pollMs">): AgentSource =>
	typeof agents === "string" ? createFolderSource(agents, pollMs) : createMemorySource(agents);
