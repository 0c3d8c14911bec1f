import type { Source, SourceSettings, SourceSync, SourceSyncCounts } from "@stemma/client";
import { formatBytes } from "@stemma/core/internal";
import { sanitizeLine } from "../terminal/terminal";
import { formatNotedTable, formatTable } from "../terminal/text/table";

const HEADER = ["KIND", "LAST SYNC", "DOCUMENTS", "EVERY", "ID", "NAME"];

/** A row for each source, and below one whose last sync failed its error. */
export const formatSources = (all: readonly Source[]): string =>
	formatNotedTable([HEADER, ...all.map(toCells)], all.map(describeError));

const toCells = ({ settings, last_sync, documents, every_minutes, id, name }: Source): string[] => [
	settings.kind,
	last_sync?.status ?? "none yet",
	documents.total.toLocaleString("en-US"),
	every_minutes === null ? "-" : `${every_minutes} min`,
	id,
	name,
];

const describeError = ({ last_sync }: Source): string =>
	last_sync?.error == null ? "" : `${last_sync.error.code}: ${last_sync.error.message}`;

/** All that is known of a source, with the report of its last sync. */
export function formatSource(source: Source): string {
	const { documents, last_sync, next_sync_at, credential, every_minutes } = source;
	const rows = formatTable([
		["name", source.name],
		["id", source.id],
		["knowledge base", source.knowledge_base_id],
		["kind", source.settings.kind],
		...toSettingRows(source.settings),
		...(credential === null ? [] : [["secret", credential]]),
		["documents", `${documents.total} (${documents.ready} ready, ${documents.failed} failed)`],
		["schedule", every_minutes === null ? "none" : `every ${every_minutes} minutes`],
		...(next_sync_at === null ? [] : [["next sync", next_sync_at]]),
		["created", source.created_at],
	]);
	return last_sync === null ? rows : `${rows}\n${formatSync(last_sync)}`;
}

const toSettingRows = ({ kind: _, ...settings }: SourceSettings): string[][] =>
	Object.entries(settings).map(([name, value]) => [
		name.replaceAll("_", " "),
		Array.isArray(value) ? value.join(", ") : String(value),
	]);

/** `2 added, 1 changed`; `nothing found` where there was nothing. */
export function describeCounts(counts: SourceSyncCounts): string {
	const parts = Object.entries(counts).flatMap(([name, count]) =>
		count === 0 ? [] : [`${Number(count).toLocaleString("en-US")} ${name}`],
	);
	return parts.join(", ") || "nothing found";
}

/** Report of a sync, with the items that failed or were skipped. */
export function formatSync(sync: SourceSync): string {
	const { error, issues, started_at, ended_at } = sync;
	const head = formatTable([
		["sync", sync.id],
		["status", sync.status],
		...(error === null ? [] : [["error", `${error.code}: ${error.message}`]]),
		...(error?.hint === undefined ? [] : [["what to do", error.hint]]),
		["items", describeCounts(sync.counts)],
		["read", formatBytes(sync.bytes)],
		...(started_at === null ? [] : [["started", started_at]]),
		...(ended_at === null ? [] : [["ended", ended_at]]),
	]);
	const lines = issues.map(
		({ outcome, key, message, code }) =>
			`  ${outcome}: ${sanitizeLine(key)}: ${code}: ${sanitizeLine(message)}\n`,
	);
	return head + lines.join("");
}
