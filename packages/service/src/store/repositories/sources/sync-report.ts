import type { SourceSyncCounts } from "@stemma/client";

/** Maximum number of syncs of a source whose reports are kept. */
export const MAX_KEPT_SYNCS = 20;

/** Counts of a sync that has found nothing yet. */
export const NO_COUNTS: SourceSyncCounts = {
	added: 0,
	changed: 0,
	unchanged: 0,
	moved: 0,
	removed: 0,
	skipped: 0,
	failed: 0,
};
