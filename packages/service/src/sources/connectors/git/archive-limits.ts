import { SourceError } from "../../source-error";

const MEBIBYTE = 1024 * 1024;

/** Bounds of an archive. */
export interface ArchiveLimits {
	readonly maxArchiveBytes: number;
	/** Maximum size of a zip archive, which is held in memory. */
	readonly maxZipBytes: number;
	/** Maximum size of all that is in it, unpacked. */
	readonly maxUnpackedBytes: number;
	readonly maxEntries: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
	maxArchiveBytes: 1024 * MEBIBYTE,
	maxZipBytes: 128 * MEBIBYTE,
	maxUnpackedBytes: 4096 * MEBIBYTE,
	maxEntries: 200_000,
};

/** Maximum ratio of sizes beyond the first {@link MIN_CHECKED_BYTES}. Repositories of text reach about 10. */
const MAX_UNPACKING_RATIO = 200;
const MIN_CHECKED_BYTES = 64 * MEBIBYTE;

/** Counts the bytes of a stream. */
export interface ByteCounter extends TransformStream<Uint8Array, Uint8Array> {
	readonly bytes: number;
}

/** @param assertBytes - called with the sum after each piece. */
export function createByteCounter(assertBytes: (bytes: number) => void): ByteCounter {
	let bytes = 0;
	const stream = new TransformStream<Uint8Array, Uint8Array>({
		transform(chunk, controller) {
			bytes += chunk.length;
			assertBytes(bytes);
			controller.enqueue(chunk);
		},
	});
	return Object.defineProperty(stream, "bytes", { get: () => bytes }) as ByteCounter;
}

/** @throws SourceError where an archive grows as no honest one does. */
export function assertUnpacked(unpackedBytes: number, archiveBytes: number, limits: ArchiveLimits): void {
	if (unpackedBytes > limits.maxUnpackedBytes)
		throw tooLargeError(`unpacks to more than ${toMebibytes(limits.maxUnpackedBytes)}`);
	if (unpackedBytes > MIN_CHECKED_BYTES && unpackedBytes > archiveBytes * MAX_UNPACKING_RATIO)
		throw tooLargeError(`unpacks to more than ${MAX_UNPACKING_RATIO} times its size, as archive bombs do`);
}

export function assertArchiveBytes(bytes: number, maxBytes: number): void {
	if (bytes > maxBytes) throw tooLargeError(`is larger than ${toMebibytes(maxBytes)}`);
}

export function assertEntries(count: number, { maxEntries }: ArchiveLimits): void {
	if (count > maxEntries) throw tooLargeError(`has more than ${maxEntries.toLocaleString("en")} entries`);
}

const toMebibytes = (bytes: number): string => `${Math.round(bytes / MEBIBYTE).toLocaleString("en")} MiB`;

const tooLargeError = (reason: string): SourceError =>
	new SourceError(`The archive of the repository ${reason}.`, {
		code: "archive_too_large",
		hint: "Use a smaller repository, or `archive_url` with an archive of the documents alone.",
	});

/** Error of a zip archive with too many files, or with one that unpacks to far more than its size. */
export const tooComplexError = (): SourceError =>
	tooLargeError("has too many files, or unpacks to far more than its size");

export const damagedError = (cause: unknown): SourceError =>
	new SourceError("The archive of the repository is damaged or incomplete.", {
		code: "archive_damaged",
		hint: "Try again later; with `archive_url`, check that it leads to a .tar.gz or .zip file.",
		cause,
	});
