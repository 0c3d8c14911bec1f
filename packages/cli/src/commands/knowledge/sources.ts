import type { Source, SourceSync } from "@stemma/client";
import { omitUndefined } from "@stemma/core/internal";
import { FULL_PAGES, listAll } from "../../connection/list-all";
import {
	type KnowledgeBaseCommandOptions,
	withKnowledgeBase,
} from "../../knowledge-bases/with-knowledge-base";
import { readSource } from "../../sources/find-source";
import { describeCounts, formatSource, formatSources, formatSync } from "../../sources/format-source";
import { type SettingsOptions, type SourceKind, toSourceSettings } from "../../sources/source-settings";
import { waitForSync } from "../../sources/wait-for-sync";
import { confirm } from "../../terminal/input/confirm";
import { print } from "../../terminal/print";
import { sanitizeLine, type Terminal } from "../../terminal/terminal";
import { count } from "../../terminal/text/count";

/** Options of the commands `stemma sources`. */
export type SourceCommandOptions = KnowledgeBaseCommandOptions;

export interface AddSourceOptions extends SourceCommandOptions, SettingsOptions {
	readonly name?: string;
	readonly secret?: string;
	/** Minutes. */
	readonly every?: number;
	readonly wait: boolean;
}

export interface SyncSourceOptions extends SourceCommandOptions {
	readonly force: boolean;
	readonly cancel: boolean;
	readonly wait: boolean;
}

export interface UpdateSourceOptions extends SourceCommandOptions {
	readonly name?: string;
	/** `none`: no secret from now on. */
	readonly secret?: string;
	/** `never`: no schedule from now on. */
	readonly every?: number | "never";
}

export interface DeleteSourceOptions extends SourceCommandOptions {
	readonly keepDocuments: boolean;
	readonly yes: boolean;
}

const HINTS: Readonly<Record<string, string>> = {
	source_not_found: '"stemma sources list --kb <slug or id>" lists them.',
	sync_not_running: '"stemma sources show" prints the report of its last sync.',
};

const NO_SOURCES =
	'There are no sources yet. "stemma sources add url https://… --kb <slug or id>" adds one.\n';

export async function listSources(terminal: Terminal, options: SourceCommandOptions): Promise<void> {
	const all = await withKnowledgeBase(options, HINTS, ({ sources }, id) =>
		listAll(sources.list(id, FULL_PAGES)),
	);
	print(terminal, options, all, () => (all.length === 0 ? NO_SOURCES : formatSources(all)));
}

export async function showSource(
	terminal: Terminal,
	idOrName: string,
	options: SourceCommandOptions,
): Promise<void> {
	const found = await withKnowledgeBase(options, HINTS, (knowledge, id) =>
		readSource(knowledge, id, idOrName),
	);
	print(terminal, options, found, () => formatSource(found));
}

/** Adds a source, whose first sync starts at once. Returns the exit code. */
export async function addSource(
	terminal: Terminal,
	kind: SourceKind,
	location: string,
	options: AddSourceOptions,
): Promise<number> {
	const { kb: _, url: __, data: ___, json: ____, name, secret, every, wait, ...rest } = options;
	const settings = toSourceSettings(kind, location, rest);
	const request = { settings, ...omitUndefined({ name, credential: secret, every_minutes: every }) };
	return withKnowledgeBase(options, HINTS, async (knowledge, knowledgeBaseId) => {
		const created = await knowledge.sources.create(knowledgeBaseId, request);
		const added = `Added "${sanitizeLine(created.name)}" (${created.id}).`;
		if (!wait) {
			print(terminal, options, created, () => `${added} Its first sync has started.\n`);
			return 0;
		}
		const sync = await waitForSync(terminal, knowledge, { knowledgeBaseId, sourceId: created.id });
		const source = await knowledge.sources.get(knowledgeBaseId, created.id);
		print(terminal, options, source, () => `${added}\n${describeEnd(sync)}`);
		return toExitCode(sync);
	});
}

/** Starts a sync, or cancels the one that runs. Returns the exit code. */
export async function syncSource(
	terminal: Terminal,
	idOrName: string,
	options: SyncSourceOptions,
): Promise<number> {
	const { force, cancel, wait } = options;
	return withKnowledgeBase(options, HINTS, async (knowledge, knowledgeBaseId) => {
		const { id: sourceId } = await readSource(knowledge, knowledgeBaseId, idOrName);
		const { sources } = knowledge;
		if (cancel) {
			const cancelled = await sources.cancelSync(knowledgeBaseId, sourceId);
			print(terminal, options, cancelled, () => `Cancelled. ${sentence(cancelled)}`);
			return 0;
		}
		const started = await sources.sync(knowledgeBaseId, sourceId, { force });
		if (!wait) {
			print(terminal, options, started, () => `The sync ${started.id} is ${started.status}.\n`);
			return 0;
		}
		const ended = await waitForSync(terminal, knowledge, {
			...{ knowledgeBaseId, sourceId, syncId: started.id },
		});
		print(terminal, options, ended, () => describeEnd(ended));
		return toExitCode(ended);
	});
}

const sentence = ({ counts }: SourceSync): string => `Before that: ${describeCounts(counts)}.\n`;

/** `Synced: 2 added.` with the items to look at; all that is known of a sync that did not succeed. */
function describeEnd(sync: SourceSync): string {
	if (sync.status !== "succeeded") return formatSync(sync);
	const lines = sync.issues.map(
		({ outcome, key, message }) => `  ${outcome}: ${sanitizeLine(key)}: ${sanitizeLine(message)}\n`,
	);
	return `Synced: ${describeCounts(sync.counts)}.\n${lines.join("")}`;
}

const toExitCode = ({ status, counts }: SourceSync): number =>
	status === "succeeded" && counts.failed === 0 ? 0 : 1;

export async function updateSource(
	terminal: Terminal,
	idOrName: string,
	options: UpdateSourceOptions,
): Promise<void> {
	const { name, secret, every } = options;
	const credential = secret === "none" ? null : secret;
	const every_minutes = every === "never" ? null : every;
	const updated = await withKnowledgeBase(options, HINTS, async (knowledge, id) => {
		const source = await readSource(knowledge, id, idOrName);
		const change = omitUndefined({ name, credential, every_minutes });
		return knowledge.sources.update(id, source.id, change);
	});
	print(terminal, options, updated, () => formatSource(updated));
}

export async function deleteSource(
	terminal: Terminal,
	idOrName: string,
	options: DeleteSourceOptions,
): Promise<void> {
	const { keepDocuments, yes: isConfirmed } = options;
	const [source, deleted] = await withKnowledgeBase(options, HINTS, async (knowledge, id) => {
		const found = await readSource(knowledge, id, idOrName);
		const question = `The source "${sanitizeLine(found.name)}" will be deleted for good${describeLoss(found, keepDocuments)}.`;
		await confirm(terminal, { question, word: "delete", isConfirmed });
		return [found, await knowledge.sources.delete(id, found.id, { keepDocuments })] as const;
	});
	print(terminal, options, deleted, () => `Deleted "${sanitizeLine(source.name)}".\n`);
}

const describeLoss = ({ documents }: Source, keepsDocuments: boolean): string =>
	keepsDocuments
		? "; its documents stay"
		: `, with ${documents.total === 1 ? "its document" : `its ${count(documents.total, "document")}`}`;
