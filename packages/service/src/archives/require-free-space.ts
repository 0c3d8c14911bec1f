import { statfsSync } from "node:fs";
import { formatBytes } from "@stemma/core/internal";
import { ArchiveError } from "./archive-error";

/** Room that is left for others. */
const SPARE_BYTES = 16 * 1024 * 1024;

/**
 * Makes sure that a folder's disk has room, before anything is written.
 *
 * @throws ArchiveError `archive_no_space`
 */
export function requireFreeSpace(folder: string, bytes: number, what: string): void {
	const { bavail, bsize } = statfsSync(folder);
	const free = bavail * bsize;
	if (free >= bytes + SPARE_BYTES) return;
	throw new ArchiveError(
		`${what} needs ${formatBytes(bytes + SPARE_BYTES)}, and the disk of ${folder} has ${formatBytes(free)} left.`,
		{ code: "archive_no_space", hint: "Free some space, or name a place on another disk." },
	);
}
