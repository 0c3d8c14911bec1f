import type { RuntimeAgentIssue } from "@stemma/client";

/** Source of agent files. */
export interface AgentSource {
	/** True where the source never changes, so that it is read once. Default false. */
	readonly isFixed?: boolean;
	/** Pause between two looks, in milliseconds. Default 1,000. */
	readonly pollMs?: number;
	/**
	 * Returns the changes since the last call: everything the first time, `undefined` if nothing has changed.
	 *
	 * @param recheck - files that are read in any case.
	 * @throws ConfigurationError when the source cannot be read; the last known state is kept then.
	 */
	readChanges(recheck: ReadonlySet<string>): Promise<SourceChanges | undefined>;
}

export interface SourceChanges {
	/** Names of all files, in order. */
	readonly names: readonly string[];
	/**
	 * Files that are new or different. They are read one by one as they are requested, so that they are never all in
	 * memory at once.
	 */
	readonly changed: AsyncIterable<AgentFile> | Iterable<AgentFile>;
}

/** One agent file as it was found: its bytes, or why there are none. */
export type AgentFile = {
	/** Relative to the folder. */
	readonly file: string;
} & ({ readonly bytes: Uint8Array } | { readonly issue: RuntimeAgentIssue });

/** Larger files are refused before they are read. */
export const MAX_FILE_BYTES = 2_000_000;
