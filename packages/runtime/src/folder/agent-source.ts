import type { RuntimeAgentIssue } from "@stemma/client";

/** Where agent files come from. */
export interface AgentSource {
	/** It never changes, and is asked once. Default false. */
	readonly isFixed?: boolean;
	/**
	 * What is different from the last time; everything the first time, nothing where nothing is.
	 *
	 * @param recheck - files that are read in any case.
	 * @throws ConfigurationError when the source cannot be read; what was seen before stands then.
	 */
	readChanges(recheck: ReadonlySet<string>): Promise<SourceChanges | undefined>;
}

export interface SourceChanges {
	/** Of all files, in order. */
	readonly names: readonly string[];
	/** Those that are new or different. They are read as they are asked for, so that never all are in memory at once. */
	readonly changed: AsyncIterable<AgentFile> | Iterable<AgentFile>;
}

/** One agent file as it was found: its bytes, or why there are none. */
export type AgentFile = {
	/** Relative to the folder. */
	readonly file: string;
} & ({ readonly bytes: Uint8Array } | { readonly issue: RuntimeAgentIssue });

/** Larger files are refused before they are read. */
export const MAX_FILE_BYTES = 2_000_000;
