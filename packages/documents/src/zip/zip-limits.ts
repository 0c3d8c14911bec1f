/** Bounds of a container; what is beyond them is refused before it is unpacked. */
export interface ZipLimits {
	readonly maxEntries: number;
	/** Maximum size of one entry, unpacked. */
	readonly maxEntryBytes: number;
	/** Maximum size of all entries that are read, unpacked. */
	readonly maxTotalBytes: number;
}

const MEBIBYTE = 1024 * 1024;

export const MAX_ZIP_ENTRIES = 20_000;
export const MAX_ZIP_ENTRY_BYTES = 128 * MEBIBYTE;
export const MAX_ZIP_TOTAL_BYTES = 256 * MEBIBYTE;

/** Maximum ratio of sizes for an entry of more than {@link MIN_CHECKED_BYTES}. Office files reach about 40. */
export const MAX_COMPRESSION_RATIO = 200;
export const MIN_CHECKED_BYTES = 8 * MEBIBYTE;

export const DEFAULT_ZIP_LIMITS: ZipLimits = {
	maxEntries: MAX_ZIP_ENTRIES,
	maxEntryBytes: MAX_ZIP_ENTRY_BYTES,
	maxTotalBytes: MAX_ZIP_TOTAL_BYTES,
};
