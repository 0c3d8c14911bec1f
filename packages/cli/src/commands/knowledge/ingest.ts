import { stat } from "node:fs/promises";
import type { Knowledge, KnowledgeBase } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { type ConnectionOptions, withService } from "../../connection/with-service";
import { type IngestOptions, ingest as ingestPaths } from "../../ingest/ingest";
import { describeIngest, type IngestReport, toJsonReport } from "../../ingest/ingest-report";
import { createIngestBar, reportBusyOnce, reportMissing } from "../../ingest/show-ingest";
import {
	findKnowledgeBase,
	getKnowledgeBase,
	isIdOrSlug,
	listKnowledgeBases,
} from "../../knowledge-bases/find-knowledge-base";
import { listAllKnowledgeBases } from "../../knowledge-bases/resolve-knowledge-base";
import { runUntilInterrupted } from "../../terminal/interrupt";
import type { Terminal } from "../../terminal/terminal";
import { formatJson } from "../../terminal/text/format-json";

/** Options of `stemma ingest`. */
export interface IngestCommandOptions extends ConnectionOptions {
	/** Id, slug or name. */
	readonly kb: string;
	readonly create: boolean;
	readonly prune: boolean;
	readonly skipUnreadable: boolean;
	readonly followLinks: boolean;
	readonly includeGenerated: boolean;
	/** Extensions of further files, in lower case and without dots. */
	readonly extension?: readonly string[];
	readonly json: boolean;
}

const STOPPED = "Stopped. What was uploaded is kept. Run the same command again to continue.";

/** Brings a knowledge base up to date with folders and files. Returns the exit code. */
export async function ingest(
	terminal: Terminal,
	paths: readonly string[],
	options: IngestCommandOptions,
): Promise<number> {
	if (options.prune) await assertOneFolder(paths);
	return runUntilInterrupted(terminal, STOPPED, (signal) =>
		withService(options, async ({ knowledge }) => {
			const { id } = await getOrCreateKnowledgeBase(knowledge, options);
			const { prune, skipUnreadable, followLinks, includeGenerated, extension } = options;
			const report = await ingestWithBar(terminal, knowledge, id, paths, {
				prune,
				skipUnreadable,
				followLinks,
				includeGenerated,
				extensions: extension,
				signal,
			});
			reportMissing(terminal, report);
			const summary = options.json ? formatJson(toJsonReport(report, id)) : describeIngest(report);
			terminal.stdout.write(`${summary}\n`);
			return hasSucceeded(report) ? 0 : 1;
		}),
	);
}

/** Checks whether an ingest succeeded. If everything was skipped, it has not, as with `stemma run`. */
function hasSucceeded(report: IngestReport): boolean {
	const { failed, skipped, empty, changed, unchanged } = report;
	const isNoop = report.new + changed + unchanged + empty.length === 0 && skipped.length > 0;
	return failed.length === 0 && !isNoop;
}

/**
 * Checks that the paths are one folder. With less than the whole folder, `--prune` would remove the documents of the
 * rest.
 *
 * @throws ConfigurationError for several paths, or for a file.
 */
async function assertOneFolder(paths: readonly string[]): Promise<void> {
	const [only = "", ...more] = paths;
	const isFile = await stat(only).then(
		(status) => !status.isDirectory(),
		() => false,
	);
	if (more.length > 0 || isFile)
		throw new ConfigurationError("--prune needs exactly one folder.", {
			hint: "--prune removes every document whose source is not in that folder.",
		});
}

async function getOrCreateKnowledgeBase(
	knowledge: Knowledge,
	{ kb, create }: IngestCommandOptions,
): Promise<KnowledgeBase> {
	const all = await listAllKnowledgeBases(knowledge);
	const isId = kb.startsWith("kb_");
	if (create && !isId) return findKnowledgeBase(kb, all) ?? createKnowledgeBase(knowledge, kb);
	const hint = `${listKnowledgeBases(all)}${isId ? "" : " Add --create to create it."}`;
	return getKnowledgeBase(kb, all, hint);
}

/** Creates a knowledge base that the same word finds again: as its slug where it can be one, else as its name. */
const createKnowledgeBase = (knowledge: Knowledge, kb: string): Promise<KnowledgeBase> =>
	knowledge.create({ name: kb, ...(isIdOrSlug(kb) && { slug: kb }) });

async function ingestWithBar(
	terminal: Terminal,
	knowledge: Knowledge,
	knowledgeBaseId: string,
	paths: readonly string[],
	options: Pick<IngestCommandOptions, "prune" | "skipUnreadable" | "followLinks" | "includeGenerated"> &
		Pick<IngestOptions, "extensions" | "signal">,
): Promise<IngestReport> {
	const bar = createIngestBar(terminal);
	try {
		return await ingestPaths(knowledge, knowledgeBaseId, paths, {
			...options,
			onProgress: bar.update,
			onBusy: reportBusyOnce(terminal),
		});
	} finally {
		bar.clear();
	}
}
