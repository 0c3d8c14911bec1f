import type { RuntimeAgentIssue } from "@stemma/client";

/** Where agent files come from. */
export interface AgentSource {
	/** Cheap to ask; differs from the last time when something may have changed. */
	signature(): Promise<string>;
	/** All files, in the order of their names. */
	read(): Promise<readonly AgentFile[]>;
}

/** One agent file as it was found: its bytes, or why there are none. */
export type AgentFile = {
	/** Relative to the folder. */
	readonly file: string;
} & ({ readonly bytes: Uint8Array } | { readonly issue: RuntimeAgentIssue });

/** Larger files are refused before they are read. */
export const MAX_FILE_BYTES = 2_000_000;
