import type { RuntimeAgent, RuntimeAgentIssue } from "@stemma/client";
import { quote } from "@stemma/core/internal";
import type { ParsedAgentFile } from "../folder/agent-definition";
import type { RunnableAgent } from "./runnable-agent";

/** An agent file and what can be run of it. */
export interface AgentEntry extends Omit<ParsedAgentFile, "definition"> {
	/** Agent that runs: the file's content, or the last valid version. Undefined for an invalid file without one. */
	readonly agent?: RunnableAgent;
	/** Revision number, from 1; grows with each version that runs. */
	readonly revision: number;
	/** The other name of a manifest. */
	readonly remoteAgentId?: string;
	/** The file's own fingerprint, also where an older version runs. */
	readonly fileVersion: string;
}

/** Each file for itself, by its name. */
export type AgentEntries = ReadonlyMap<string, AgentEntry>;

/** All agent files at one moment. */
export interface AgentCatalog {
	readonly files: AgentEntries;
	/** Entry of each file. If two files have the same id, neither runs, unless one of them was already running. */
	readonly entries: readonly AgentEntry[];
	/** Number of agents that are ready. */
	readonly ready: number;
	/** The files that answer to a name: one that is ready, or all invalid ones. */
	readonly byName: ReadonlyMap<string, readonly AgentEntry[]>;
}

export const EMPTY_CATALOG: AgentCatalog = { files: new Map(), entries: [], ready: 0, byName: new Map() };

/** Makes a file's content runnable; throws nothing. */
export type PrepareAgent = (file: ParsedAgentFile) => Pick<AgentEntry, "agent" | "issues">;

/** A file after it was read again; what did not change stays the very same, and what is bad leaves the last good version. */
export function updateEntry(
	before: AgentEntry | undefined,
	parsed: ParsedAgentFile,
	prepare: PrepareAgent,
): AgentEntry {
	const hasVersion = parsed.version !== "";
	if (before !== undefined && before.fileVersion === parsed.version && hasVersion) return before;
	// What runs is in the file again.
	if (before?.agent !== undefined && before.version === parsed.version && hasVersion)
		return { ...before, issues: prepare(parsed).issues, fileVersion: parsed.version };
	const { definition, ...file } = parsed;
	const { agent, issues } = prepare(parsed);
	if (agent === undefined && before?.agent !== undefined)
		return { ...before, issues, fileVersion: file.version };
	return {
		...file,
		issues,
		fileVersion: file.version,
		revision: (before?.revision ?? 0) + 1,
		...(agent === undefined ? {} : { agent }),
		...(definition?.form === "manifest" ? { remoteAgentId: definition.remoteAgentId } : {}),
	};
}

/**
 * The files beside each other.
 *
 * @param before - tells which of two files with one id was there first.
 * @param removed - files that may be gone: they give up their id to any other file.
 */
export function createCatalog(
	files: AgentEntries,
	before: AgentCatalog,
	removed: ReadonlySet<string> = new Set(),
): AgentCatalog {
	const running = new Set(before.entries.filter(isReady).map(({ id, file }) => `${id} ${file}`));
	const groups = groupBy([...files.values()], ({ id }) => id);
	const entries = [...files.values()].flatMap((entry) => {
		const duplicates = (groups.get(entry.id) ?? []).filter((other) => other !== entry && isReady(other));
		const remaining = duplicates.filter(({ file }) => !removed.has(file));
		if (!isReady(entry) || duplicates.length === 0) return [entry];
		if (removed.has(entry.file) && remaining.length > 0) return [];
		return remaining.length === 0 ? [entry] : [rejectDuplicate(entry, remaining, running)];
	});
	return { files, entries, ready: entries.filter(isReady).length, byName: indexByName(entries) };
}

function rejectDuplicate(
	entry: AgentEntry,
	duplicates: readonly AgentEntry[],
	running: ReadonlySet<string>,
): AgentEntry {
	const issues = [...entry.issues, duplicateId(entry.id, duplicates)];
	const { agent, ...invalid } = entry;
	return running.has(`${entry.id} ${entry.file}`) ? { ...entry, issues } : { ...invalid, issues };
}

const MAX_DUPLICATES_SHOWN = 3;

function duplicateId(id: string, duplicates: readonly AgentEntry[]): RuntimeAgentIssue {
	const shown = duplicates.slice(0, MAX_DUPLICATES_SHOWN).map(({ file }) => quote(file));
	const more = duplicates.length - shown.length;
	const files = [...shown, ...(more === 0 ? [] : [`${more} more`])].join(" and ");
	const verb = duplicates.length === 1 ? "has" : "have";
	const message = `${files} ${verb} the id ${quote(id)} too. Rename one.`;
	return { code: "duplicate_id", message, path: [] };
}

/** An entry with an agent that runs. */
export type ReadyEntry = AgentEntry & { readonly agent: RunnableAgent };

export const isReady = (entry: AgentEntry): entry is ReadyEntry => entry.agent !== undefined;

/** An older version runs, as the file itself is bad now. */
export const isStale = (entry: AgentEntry): boolean => isReady(entry) && entry.fileVersion !== entry.version;

/** Checks whether the version that runs is the file's current content. */
export const isCurrent = (entry: AgentEntry): boolean => isReady(entry) && !isStale(entry);

/** The service's id of a manifest is its name too, unless another file has that name. */
function indexByName(entries: readonly AgentEntry[]): ReadonlyMap<string, readonly AgentEntry[]> {
	const names = new Map<string, readonly AgentEntry[]>();
	for (const key of ["id", "remoteAgentId"] as const)
		for (const [name, group] of groupBy(entries, (entry) => entry[key])) {
			const ready = group.find(isReady);
			if (name !== undefined && !names.has(name)) names.set(name, ready === undefined ? group : [ready]);
		}
	return names;
}

function groupBy<Key>(
	entries: readonly AgentEntry[],
	keyOf: (entry: AgentEntry) => Key,
): ReadonlyMap<Key, readonly AgentEntry[]> {
	const groups = new Map<Key, AgentEntry[]>();
	for (const entry of entries) {
		const group = groups.get(keyOf(entry));
		if (group === undefined) groups.set(keyOf(entry), [entry]);
		else group.push(entry);
	}
	return groups;
}

const NO_ENTRIES: readonly AgentEntry[] = [];

/** The files that answer to a name; none when it is not known. */
export const findEntries = ({ byName }: AgentCatalog, name: string): readonly AgentEntry[] =>
	byName.get(name) ?? NO_ENTRIES;

/** An entry as `GET /agents` lists it. */
export function toRuntimeAgent(entry: AgentEntry): RuntimeAgent {
	const { id, form, name, description, issues, warnings, file, version } = entry;
	return {
		id,
		form,
		name,
		description,
		status: isReady(entry) ? "ready" : "invalid",
		...(issues.length > 0 ? { issues } : {}),
		...(warnings.length > 0 ? { warnings } : {}),
		file,
		version,
	};
}
