import { type AgentEntries, type AgentEntry, isCurrent } from "./catalog";

/**
 * What was seen once and may be a moment's: an editor empties a file and then writes it, or takes it away and puts another
 * in its place. It counts when it is the same at the next look.
 */
export interface Unsettled {
	/** By the name of the file, what was wrong with it. */
	readonly bad: ReadonlyMap<string, string>;
	/** Files that are not there. */
	readonly gone: ReadonlySet<string>;
}

export const NOTHING_UNSETTLED: Unsettled = { bad: new Map(), gone: new Set() };

export interface Settled extends Unsettled {
	readonly files: AgentEntries;
}

/**
 * The files as they count after a look: good ones at once, bad and missing ones when they were so the last time too.
 *
 * @param names - of all files that are there, in order.
 * @param read - those that were read just now.
 */
export function settleFiles(
	before: AgentEntries,
	names: readonly string[],
	read: AgentEntries,
	unsettled: Unsettled,
): Settled {
	const bad = new Map<string, string>();
	const there = new Set(names);
	const gone = new Set([...before.keys()].filter((name) => !there.has(name) && !unsettled.gone.has(name)));
	// A file that is no file's successor in the list stands where it stood.
	const listed = gone.size === 0 ? names : [...names, ...gone].sort();
	const files = new Map<string, AgentEntry>();
	for (const name of listed) {
		const [old, entry] = [before.get(name), read.get(name)];
		const fault = entry === undefined || entry === old ? undefined : faultOf(old, entry);
		const isNew = fault !== undefined && unsettled.bad.get(name) !== fault;
		if (isNew) bad.set(name, fault);
		const counted = isNew ? old : (entry ?? old);
		if (counted !== undefined) files.set(name, counted);
	}
	return { files, bad, gone };
}

/** What a file has become, if it was good or not there before and is bad now. */
function faultOf(old: AgentEntry | undefined, entry: AgentEntry): string | undefined {
	if (isCurrent(entry) || (old !== undefined && !isCurrent(old))) return undefined;
	return `${entry.seen} ${entry.issues[0]?.code}`;
}
