import { createHash } from "node:crypto";
import { damagedArchiveError, unsupportedArchiveError } from "../../archives/archive-error";
import { readArchive } from "../../archives/read-archive";
import type { ArchivePart } from "../../archives/write-archive";
import { NEWEST_DATABASE_VERSION } from "../../store/postgres/open-restoration";
import { type BackupPart, type DatabaseManifest, parseBackupManifest } from "../backup-manifest";
import type { RestoreBackupOptions } from "../backup-options";
import { DUMP_PATH, isDatabasePath } from "../backup-storage";

type ReadOptions = Pick<RestoreBackupOptions, "onProgress" | "signal">;

/** Checked manifest of a database's backup, and its one part. */
export interface CheckedBackup {
	readonly manifest: DatabaseManifest;
	readonly part: BackupPart;
}

/**
 * Reads the backup of a database and checks the hash of its dump; nothing is written.
 *
 * @throws ArchiveError; `archive_other_storage` for the backup of a data folder
 */
export async function checkBackup(file: string, options: ReadOptions): Promise<CheckedBackup> {
	const found = await readDump(file, async () => undefined, options);
	const manifest = parseBackupManifest(found.manifest, file);
	const [part, ...others] = manifest.parts;
	if (manifest.storage !== "postgres" || part === undefined || others.length > 0)
		throw damagedArchiveError(file, "its manifest is not that of a database");
	assertSame(file, part, found.dump);
	const { required_version: version } = manifest.database;
	if (version > NEWEST_DATABASE_VERSION)
		throw unsupportedArchiveError(
			file,
			`its tables have version ${version}, this Stemma supports up to ${NEWEST_DATABASE_VERSION}`,
		);
	return { manifest, part };
}

/**
 * Writes the dump of a backup that was checked.
 *
 * @throws ArchiveError `archive_damaged` where it is another one now; what `write` throws.
 */
export async function writeDump(
	file: string,
	part: BackupPart,
	write: (bytes: Uint8Array) => Promise<void>,
	options: ReadOptions,
): Promise<void> {
	let failure: unknown;
	const writeUntilFailure = (bytes: Uint8Array): Promise<void> =>
		write(bytes).catch((error: unknown) => {
			failure ??= error;
			throw error;
		});
	try {
		const { dump } = await readDump(file, writeUntilFailure, options);
		assertSame(file, part, dump);
	} catch (error) {
		throw failure ?? error;
	}
}

async function readDump(
	file: string,
	write: (bytes: Uint8Array) => Promise<void>,
	options: ReadOptions,
): Promise<{ readonly manifest: string; readonly dump: ArchivePart }> {
	const isExpected = (path: string): boolean => isDatabasePath(file, path);
	const { manifest, parts } = await readArchive(
		file,
		{ ...options, isExpected },
		async ({ name, size }, body) => {
			const hash = createHash("sha256");
			let bytes = 0;
			for await (const piece of body) {
				options.signal?.throwIfAborted();
				hash.update(piece);
				bytes += piece.byteLength;
				await write(piece);
			}
			if (bytes !== size) throw new Error(`The entry ${name} is cut off.`);
			return { path: name, bytes, sha256: hash.digest("hex") };
		},
	);
	const dump = parts.get(DUMP_PATH);
	if (dump === undefined) throw damagedArchiveError(file, `${DUMP_PATH} is missing`);
	return { manifest, dump };
}

function assertSame(file: string, { path, bytes, sha256 }: BackupPart, found: ArchivePart): void {
	if (found.path !== path || found.bytes !== bytes || found.sha256 !== sha256)
		throw damagedArchiveError(file, `${DUMP_PATH} has changed since it was written`);
}
