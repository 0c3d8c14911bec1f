import type { Source, SourceCreate, SourceSettings, SourceSync } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { createId } from "../create-id";
import { MAX_NAME_CHARACTERS } from "../validation/field-limits";
import type { SourceState, StoredSource } from "./repositories/source-repository";
import type { StoredSync } from "./repositories/sync-repository";

/** Source as it is stored first; its sync is due at once. */
export function toStoredSource(
	knowledge_base_id: string,
	input: Omit<SourceCreate, "settings"> & Pick<StoredSource, "settings">,
): StoredSource {
	const { settings, name, credential = null, every_minutes = null } = input;
	const now = clock.now();
	return {
		...{ id: createId("src"), knowledge_base_id },
		name: name ?? toLocation(settings).slice(0, MAX_NAME_CHARACTERS),
		...{ settings, credential, every_minutes, next_sync_at: now, created_at: now, updated_at: now },
	};
}

/** Details of a source for the audit log: settings hold no secrets. */
export const toAuditDetails = ({ name, settings, credential, every_minutes }: StoredSource) => ({
	...{ name, kind: settings.kind, location: toLocation(settings) },
	...{ credential, every_minutes },
});

/** Location that a source reads, as one text. */
function toLocation(settings: SourceSettings): string {
	if (settings.kind === "push") return "pushed files";
	if (settings.kind === "s3") return `s3://${settings.bucket}/${settings.prefix ?? ""}`;
	return settings.kind === "folder" ? settings.path : settings.url;
}

const toTimestamp = (time: number | null): string | null =>
	time === null ? null : new Date(time).toISOString();

/** Source as callers see it. */
export const toSourceView = ({
	created_at,
	updated_at,
	next_sync_at,
	last_sync,
	...source
}: SourceState): Source => ({
	...source,
	next_sync_at: toTimestamp(next_sync_at),
	last_sync: last_sync && toSyncView(last_sync),
	created_at: new Date(created_at).toISOString(),
	updated_at: new Date(updated_at).toISOString(),
});

/** Sync as callers see it. */
export const toSyncView = ({ created_at, started_at, ended_at, ...sync }: StoredSync): SourceSync => ({
	...sync,
	created_at: new Date(created_at).toISOString(),
	started_at: toTimestamp(started_at),
	ended_at: toTimestamp(ended_at),
});
