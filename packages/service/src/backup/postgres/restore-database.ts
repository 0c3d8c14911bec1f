import { ConfigurationError } from "@stemma/core/errors";
import { damagedArchiveError } from "../../archives/archive-error";
import type { Configuration, DatabaseConfiguration } from "../../configuration/configuration";
import { createKeyring, type Keyring } from "../../encryption/keyring";
import { openPostgresRestoration, type PostgresRestoration } from "../../store/postgres/open-restoration";
import type { DatabaseManifest } from "../backup-manifest";
import type { RestoreBackupOptions } from "../backup-options";
import { type CheckedBackup, checkBackup, writeDump } from "./read-dump";

/** A database that was restored. */
export interface RestoredDatabase {
	/** Name of the database. */
	readonly database: string;
	readonly manifest: DatabaseManifest;
}

/**
 * Restores a backup into an empty database, once its hash was checked and the keys are there: in one transaction, by the role
 * of `database.owner_url`. Then checks the version, all counts, and that the keys open what is encrypted. Where anything
 * differs, it is removed again.
 *
 * @throws ConfigurationError `database_not_empty`, `database_in_use`, `database_unsuitable`, `vectors_unavailable`,
 * `encryption_key_missing`, `postgres_tools_missing`, `postgres_tools_outdated`; ArchiveError where the archive cannot be used;
 * StorageError; `signal.reason` when it was stopped. The database is empty then.
 */
export async function restoreDatabase(
	file: string,
	database: DatabaseConfiguration,
	{ keys }: Configuration["encryption"],
	options: RestoreBackupOptions = {},
): Promise<RestoredDatabase> {
	const backup = await checkBackup(file, options);
	const keyring = createKeyring(keys);
	if (!options.allowsMissingKeys) assertKeys(backup.manifest, keyring);
	const { server_version, dump_version, vector_schema } = backup.manifest.database;
	const target = await openPostgresRestoration(database, {
		serverVersion: server_version,
		dumpVersion: dump_version,
		vectorSchema: vector_schema,
	});
	try {
		await restoreInto(target, file, backup, keyring, options);
		return { database: target.database, manifest: backup.manifest };
	} finally {
		await target.close();
	}
}

async function restoreInto(
	target: PostgresRestoration,
	file: string,
	backup: CheckedBackup,
	keyring: Keyring,
	options: RestoreBackupOptions,
): Promise<void> {
	const { signal } = options;
	try {
		await target.restore((write) => writeDump(file, backup.part, write, options), signal);
		await assertContents(target, file, backup);
		if (!options.allowsMissingKeys) await assertDecryptable(target, file, keyring);
		signal?.throwIfAborted();
	} catch (error) {
		await target.remove();
		throw error;
	}
}

/** Checks the keys before anything is restored: each encrypted value names its own. */
function assertKeys({ encryption_keys }: DatabaseManifest, { fingerprints }: Keyring): void {
	const missing = encryption_keys.filter(
		({ key_check }) => !fingerprints.some(({ keyCheck }) => keyCheck === key_check),
	);
	if (missing.length === 0) return;
	const names = missing.map(({ id, values }) => `"${id}" (${values} of the credentials)`).join(", ");
	throw new ConfigurationError(
		`The settings do not have the encryption key ${names} that opens the backup.`,
		{
			code: "encryption_key_missing",
			hint: "Put them in STEMMA_ENCRYPTION_KEY or encryption.keys; a key of the same name may be another one. If one is lost, add --allow-missing-keys, and start the service once with --delete-undecryptable-credentials. Nothing was changed.",
		},
	);
}

async function assertContents(
	target: PostgresRestoration,
	file: string,
	{ manifest, part }: CheckedBackup,
): Promise<void> {
	const { version, tables } = await target.readContents();
	const { applied_version, required_version } = manifest.database;
	if (version.applied !== applied_version || version.required !== required_version)
		throw damagedArchiveError(file, `its tables have version ${version.applied}, not ${applied_version}`);
	for (const name of new Set([...Object.keys(part.tables), ...Object.keys(tables)]))
		if (part.tables[name] !== tables[name])
			throw damagedArchiveError(
				file,
				`it has ${tables[name] ?? 0} rows in ${name}, not ${part.tables[name] ?? 0}`,
			);
}

async function assertDecryptable(target: PostgresRestoration, file: string, keyring: Keyring): Promise<void> {
	const ciphertexts = await target.listCiphertexts();
	const count = ciphertexts.filter(
		({ envelope, binding }) => keyring.decrypt(envelope, binding) === undefined,
	).length;
	if (count > 0) throw damagedArchiveError(file, `no key opens ${count} of its credentials`);
}
