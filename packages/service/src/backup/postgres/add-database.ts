import { rm } from "node:fs/promises";
import { join } from "node:path";
import { clock, formatBytes } from "@stemma/core/internal";
import type { ArchiveWriter } from "../../archives/write-archive";
import { STEMMA_VERSION } from "../../stemma-version";
import type { PostgresBackup } from "../../store/postgres/open-backup";
import { addManifest, BACKUP_FORMAT, type DatabaseManifest } from "../backup-manifest";
import type { CreateBackupOptions } from "../backup-options";
import { DUMP_PATH } from "../backup-storage";
import { createKeyCount } from "../key-count";

/** Counting, dumping, and putting the dump into the archive. */
const STEPS = 3;

/** Adds the dump of a database to an archive, and the manifest. Its counts are of the same moment as the dump. */
export async function addDatabase(
	source: PostgresBackup,
	archive: ArchiveWriter,
	{ onProgress, signal }: CreateBackupOptions,
): Promise<DatabaseManifest> {
	const createdAt = new Date(clock.now()).toISOString();
	onProgress?.(0, STEPS, "counting rows");
	const { version, tables } = await source.readContents();
	const keys = createKeyCount();
	keys.add(await source.listEnvelopes());
	signal?.throwIfAborted();
	const dump = join(archive.workFolder, DUMP_PATH);
	const onWritten = (bytes: number): void => onProgress?.(1, STEPS, `dumping ${formatBytes(bytes)}`);
	await source.writeDump(dump, { onProgress: onWritten, signal });
	onProgress?.(2, STEPS, "writing the archive");
	const part = await archive.addFile(DUMP_PATH, dump);
	await rm(dump);
	const manifest: DatabaseManifest = {
		...BACKUP_FORMAT,
		storage: "postgres",
		created_at: createdAt,
		stemma_version: STEMMA_VERSION,
		database: {
			applied_version: version.applied,
			required_version: version.required,
			server_version: source.serverVersion,
			dump_version: source.dumpVersion,
			...(source.vectorSchema !== undefined && { vector_schema: source.vectorSchema }),
		},
		encryption_keys: [...keys.list()],
		parts: [{ ...part, schema_version: version.applied, tables: { ...tables } }],
		left_out: [],
	};
	await addManifest(archive, manifest);
	return manifest;
}
