import type { RuntimeAgent, RuntimeAgentIssue } from "@stemma/client";
import type { ParsedAgentFile } from "../folder/agent-definition";
import { quote } from "./quote";
import type { RunnableAgent } from "./runnable-agent";

/** An agent file and what can be run of it. */
export interface AgentEntry extends Omit<ParsedAgentFile, "definition"> {
	/** What runs: the file's content, or the last that was good. None for an invalid file. */
	readonly agent?: RunnableAgent;
	/** From 1; grows with each version that runs. */
	readonly revision: number;
	/** The other name of a manifest. */
	readonly remoteAgentId?: string;
	/** The file's own fingerprint, also where an older version runs. */
	readonly seen: string;
}

/** All agent files at one moment. */
export interface AgentCatalog {
	/** Each file for itself. */
	readonly files: ReadonlyMap<string, AgentEntry>;
	/** Each file beside the others: of two with one id none runs, unless one of them did before. */
	readonly entries: readonly AgentEntry[];
}

export const EMPTY_CATALOG: AgentCatalog = { files: new Map(), entries: [] };

/** Makes a file's content runnable; throws nothing. */
export type Prepare = (file: ParsedAgentFile) => Pick<AgentEntry, "agent" | "issues">;

/** The catalog after the files were read again. What did not change stays the very same. */
export function updateCatalog(
	before: AgentCatalog,
	parsed: readonly ParsedAgentFile[],
	prepare: Prepare,
): AgentCatalog {
	const files = new Map(
		parsed.map((file) => [file.file, updateEntry(before.files.get(file.file), file, prepare)]),
	);
	return { files, entries: refuseDuplicates([...files.values()], before.entries) };
}

function updateEntry(before: AgentEntry | undefined, parsed: ParsedAgentFile, prepare: Prepare): AgentEntry {
	if (before !== undefined && before.seen === parsed.version && parsed.version !== "") return before;
	const { definition, ...file } = parsed;
	const { agent, issues } = prepare(parsed);
	if (agent === undefined && before?.agent !== undefined) return { ...before, issues, seen: file.version };
	return {
		...file,
		issues,
		seen: file.version,
		revision: (before?.revision ?? 0) + 1,
		...(agent === undefined ? {} : { agent }),
		...(definition?.form === "manifest" ? { remoteAgentId: definition.remoteAgentId } : {}),
	};
}

function refuseDuplicates(files: readonly AgentEntry[], before: readonly AgentEntry[]): AgentEntry[] {
	const running = new Set(before.filter(isReady).map(({ id, file }) => `${id} ${file}`));
	return files.map((entry) => {
		const twins = files.filter((other) => other !== entry && other.id === entry.id && isReady(other));
		if (!isReady(entry) || twins.length === 0) return entry;
		const issues = [...entry.issues, duplicateId(entry.id, twins)];
		const { agent, ...invalid } = entry;
		return running.has(`${entry.id} ${entry.file}`) ? { ...entry, issues } : { ...invalid, issues };
	});
}

const duplicateId = (id: string, twins: readonly AgentEntry[]): RuntimeAgentIssue => ({
	code: "duplicate_id",
	message: `${twins.map(({ file }) => quote(file)).join(" and ")} has the id ${quote(id)} too. Rename one.`,
	path: [],
});

export const isReady = (entry: AgentEntry): boolean => entry.agent !== undefined;

/**
 * The files that answer to a name: one that is ready, or all invalid ones; none when the name is not known. The service's
 * id of a manifest is its name too, unless another file has that name.
 */
export function findEntries({ entries }: AgentCatalog, name: string): readonly AgentEntry[] {
	const named = entries.filter(({ id }) => id === name);
	const found = named.length > 0 ? named : entries.filter(({ remoteAgentId }) => remoteAgentId === name);
	const ready = found.find(isReady);
	return ready === undefined ? found : [ready];
}

/** An entry as `GET /agents` lists it. */
export function toRuntimeAgent(entry: AgentEntry): RuntimeAgent {
	const { id, form, name, description, issues, file, version } = entry;
	const status = isReady(entry) ? "ready" : "invalid";
	return { id, form, name, description, status, ...(issues.length > 0 ? { issues } : {}), file, version };
}
