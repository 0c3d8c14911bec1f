import { isStemmaError } from "@stemma/core/errors";
import type { AgentSource, SourceChanges } from "../folder/agent-source";
import { parseAgentFile } from "../folder/parse-agent-file";
import { watchSource } from "../folder/watch-source";
import {
	type AgentCatalog,
	type AgentEntries,
	type AgentEntry,
	createCatalog,
	EMPTY_CATALOG,
	isCurrent,
	type PrepareAgent,
	updateEntry,
} from "./catalog";
import { debounceChanges, NO_PENDING_CHANGES, type PendingChanges } from "./debounce-changes";
import { describeAgents } from "./describe-agents";

/** The agent files as they are at any moment. */
export interface LiveCatalog {
	current(): AgentCatalog;
	/** Looks for changes no more. */
	stop(): void;
}

/**
 * Outcome of a reload of changed files: all valid (`completed`), with an invalid file among them, or failed before the
 * files were read.
 */
export type ReloadOutcome = "completed" | "invalid" | "failed";

/** Requests are answered in between: reading thousands of files takes seconds. */
const SLICE_MS = 10;

/**
 * Reads the agent files, and again whenever they change.
 *
 * @throws ConfigurationError when the source cannot be read.
 */
export async function openLiveCatalog(
	source: AgentSource,
	prepare: PrepareAgent,
	log: (line: string) => void,
	onReload: (outcome: ReloadOutcome) => void = () => undefined,
): Promise<LiveCatalog> {
	let catalog: AgentCatalog | undefined;
	let pending: PendingChanges = NO_PENDING_CHANGES;

	/** Gives the files to look at again. */
	async function applyChanges({ names, changed }: SourceChanges): Promise<ReadonlySet<string>> {
		const before = catalog ?? EMPTY_CATALOG;
		const read = await readEntries(changed, before.files, prepare, source.isFixed === true);
		// At the start there is nothing that could be better than what is there.
		const debounced = catalog === undefined ? undefined : debounceChanges(before.files, names, read, pending);
		const files = debounced?.files ?? inFileOrder(names, read);
		catalog = createCatalog(files, before, debounced?.missing);
		pending = debounced ?? NO_PENDING_CHANGES;
		if (debounced !== undefined && isDifferent(before.files, files)) {
			log(`Agent files changed. ${describeAgents(catalog.entries)}`);
			const { entries } = catalog;
			const isBad = entries.some((entry) => isChanged(before.files, files, entry) && !isCurrent(entry));
			onReload(isBad ? "invalid" : "completed");
		}
		return new Set([...pending.bad.keys(), ...pending.missing]);
	}

	const stop = await watchSource(source, applyChanges, (error) => {
		log(`The agents stay as they were. ${isStemmaError(error) ? error.message : String(error)}`);
		onReload("failed");
	});
	return { current: () => catalog ?? EMPTY_CATALOG, stop };
}

/** @param isImmediate - nothing is answered yet; Workers have no timers then. */
async function readEntries(
	changed: SourceChanges["changed"],
	before: AgentEntries,
	prepare: PrepareAgent,
	isImmediate: boolean,
): Promise<AgentEntries> {
	const entries = new Map<string, AgentEntry>();
	let startedAt = Date.now();
	for await (const file of changed) {
		entries.set(file.file, updateEntry(before.get(file.file), parseAgentFile(file), prepare));
		if (isImmediate || Date.now() - startedAt < SLICE_MS) continue;
		await new Promise((resolve) => setTimeout(resolve));
		startedAt = Date.now();
	}
	return entries;
}

const inFileOrder = (names: readonly string[], entries: AgentEntries): AgentEntries =>
	new Map(names.flatMap((name) => toPairs(name, entries.get(name))));

const toPairs = (name: string, entry: AgentEntry | undefined): (readonly [string, AgentEntry])[] =>
	entry === undefined ? [] : [[name, entry]];

const isDifferent = (before: AgentEntries, after: AgentEntries): boolean =>
	before.size !== after.size || [...after].some(([name, entry]) => before.get(name) !== entry);

const isChanged = (before: AgentEntries, after: AgentEntries, { file }: AgentEntry): boolean =>
	before.get(file) !== after.get(file);
