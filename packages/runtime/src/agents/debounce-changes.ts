import { type AgentEntries, type AgentEntry, isCurrent } from "./catalog";

/**
 * Changes that were seen once and may be temporary: an editor empties a file and then writes it, or removes it and puts
 * another in its place. A change takes effect if it is the same at the next check.
 */
export interface PendingChanges {
	/** Faults of files, by file name. */
	readonly bad: ReadonlyMap<string, string>;
	/** Files that are not there. */
	readonly missing: ReadonlySet<string>;
}

export const NO_PENDING_CHANGES: PendingChanges = { bad: new Map(), missing: new Set() };

export interface DebouncedFiles extends PendingChanges {
	readonly files: AgentEntries;
}

/**
 * The files as they count after a look: good ones at once, bad and missing ones when they were so the last time too.
 *
 * @param names - of all files that are there, in order.
 * @param read - those that were read just now.
 */
export function debounceChanges(
	before: AgentEntries,
	names: readonly string[],
	read: AgentEntries,
	pending: PendingChanges,
): DebouncedFiles {
	const bad = new Map<string, string>();
	const present = new Set(names);
	const missing = new Set(
		[...before.keys()].filter((name) => !present.has(name) && !pending.missing.has(name)),
	);
	// A file that is no file's successor in the list stands where it stood.
	const listed = missing.size === 0 ? names : [...names, ...missing].sort();
	const files = new Map<string, AgentEntry>();
	for (const name of listed) {
		const [old, entry] = [before.get(name), read.get(name)];
		const fault = entry === undefined || entry === old ? undefined : findFault(old, entry);
		const isNew = fault !== undefined && pending.bad.get(name) !== fault;
		if (isNew) bad.set(name, fault);
		const effective = isNew ? old : (entry ?? old);
		if (effective !== undefined) files.set(name, effective);
	}
	return { files, bad, missing };
}

/** Returns a file's new fault, if it was valid or did not exist before and is invalid now. */
function findFault(old: AgentEntry | undefined, entry: AgentEntry): string | undefined {
	if (isCurrent(entry) || (old !== undefined && !isCurrent(old))) return undefined;
	return `${entry.fileVersion} ${entry.issues[0]?.code}`;
}
