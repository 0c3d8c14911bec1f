import * as z from "zod";
import { damagedArchiveError, unsupportedArchiveError } from "../archives/archive-error";
import { MANIFEST } from "../archives/read-archive";
import type { ArchiveWriter } from "../archives/write-archive";

const count = z.number().int().nonnegative();

const part = z.object({
	path: z.string(),
	bytes: count,
	sha256: z.string().regex(/^[0-9a-f]{64}$/),
	/** Version of its tables. */
	schema_version: count,
	/** Number of rows by table. */
	tables: z.record(z.string(), count),
	workspace_id: z.string().optional(),
	workspace_name: z.string().optional(),
});

/** Fields that the manifests of all backups have. */
const common = {
	format: z.literal("stemma-backup"),
	format_version: z.literal(1),
	created_at: z.string(),
	stemma_version: z.string(),
	/** Keys that open what is encrypted in the parts. The keys themselves are not in the archive. */
	encryption_keys: z.array(z.object({ id: z.string(), key_check: z.string(), values: count })),
	parts: z.array(part),
	/** Workspaces whose file could not be read; none of a database. */
	left_out: z.array(z.object({ workspace_id: z.string(), code: z.string(), message: z.string() })),
};

const dataFolderManifest = z.object({
	...common,
	/** Kind of store that the parts are of: a SQLite file each. */
	storage: z.literal("sqlite"),
	/** Newest versions of tables that the writer of the backup knew. */
	schema_versions: z.object({ deployment: count, workspace: count }),
});

const databaseManifest = z.object({
	...common,
	/** Kind of store that the one part is of: a dump in the custom format of `pg_dump`. */
	storage: z.literal("postgres"),
	database: z.object({
		/** Last migration step that was applied. */
		applied_version: count,
		/** Last migration step that a version of Stemma must know to serve it. */
		required_version: count,
		/** Version of the server, such as `15.14`. */
		server_version: z.string(),
		/** Major version of `pg_dump`: an earlier `pg_restore` cannot read what it wrote. */
		dump_version: count,
		/** Schema of the extension `vector`, where tables use it. */
		vector_schema: z.string().optional(),
	}),
});

const manifest = z.discriminatedUnion("storage", [dataFolderManifest, databaseManifest]);

/** Manifest of a backup of a data folder. */
export type DataFolderManifest = z.infer<typeof dataFolderManifest>;

/** Manifest of a backup of a Postgres database. */
export type DatabaseManifest = z.infer<typeof databaseManifest>;

/** Last entry of a backup: what is in it. */
export type BackupManifest = z.infer<typeof manifest>;
export type BackupPart = BackupManifest["parts"][number];

export const BACKUP_FORMAT = { format: "stemma-backup", format_version: 1 } as const;

/** Ends an archive with its manifest. */
export async function addManifest(archive: ArchiveWriter, value: BackupManifest): Promise<void> {
	const text = Buffer.from(`${JSON.stringify(value, undefined, "\t")}\n`);
	await archive.addPieces(MANIFEST, text.byteLength, [text]);
}

/**
 * Parses the manifest of a backup.
 *
 * @throws ArchiveError `archive_damaged`, `archive_unsupported`
 */
export function parseBackupManifest(text: string, file: string): BackupManifest {
	const value = parseJson(text);
	const version = z
		.object({ format: z.literal("stemma-backup"), format_version: z.number() })
		.safeParse(value);
	if (!version.success) throw damagedArchiveError(file, "its manifest is not that of a backup");
	if (version.data.format_version > BACKUP_FORMAT.format_version)
		throw unsupportedArchiveError(file, `format ${version.data.format_version}`);
	const parsed = manifest.safeParse(value);
	if (!parsed.success) throw damagedArchiveError(file, "its manifest is incomplete", parsed.error);
	return parsed.data;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
