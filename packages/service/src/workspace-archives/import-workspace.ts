import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { damagedArchiveError, unsupportedArchiveError } from "../archives/archive-error";
import { extractArchive } from "../archives/extract-archive";
import type { ReadArchive } from "../archives/read-archive";
import { requireFreeSpace } from "../archives/require-free-space";
import type { Configuration } from "../configuration/configuration";
import type { EncryptionKey } from "../encryption/encryption-keys";
import { createKeyring } from "../encryption/keyring";
import { deleteUndecryptable } from "../encryption/verify-ciphertexts";
import { prepareDatabaseFile } from "../store/data-folder/private-files";
import { readSpooled } from "../store/data-folder/read-spooled";
import { CURRENT_VERSIONS, summarizeDatabase } from "../store/sqlite/open-snapshots";
import {
	createImportedDatabase,
	DEPLOYMENT_KINDS,
	type ImportConflict,
	WORKSPACE_KINDS,
} from "../store/sqlite/open-transfer";
import { prepareDataFolder } from "../workspaces/data-folder";
import { type ImportTarget, openImportTarget } from "./import-target";
import { readLines } from "./read-lines";
import { sealAgain } from "./seal-again";
import { parseWorkspaceManifest, type WorkspaceManifest } from "./workspace-manifest";

/** Options of an import. */
export interface ImportWorkspaceOptions {
	/** Name of the workspace here. Default: that of the archive. */
	readonly name?: string | undefined;
	/** Key that the credentials of the archive are encrypted with. */
	readonly transferKey?: EncryptionKey | undefined;
	/** Leaves credentials out. Default false. */
	readonly withoutSecrets?: boolean | undefined;
	readonly onProgress?: ((done: number, total: number, path: string) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
}

export interface ImportedWorkspace {
	readonly folder: string;
	readonly workspaceId: string;
	readonly name: string;
	/** Number of credentials that are encrypted with the first key of this deployment now. */
	readonly credentials: number;
	readonly manifest: WorkspaceManifest;
}

/**
 * Imports an exported workspace with its ids into a data folder or database that no service uses; makes the folder where there
 * is none.
 * The workspace is there whole, or not at all: what a process that was killed has left is removed by the next import.
 *
 * @throws ConfigurationError `data_folder_in_use`, `database_in_use`, `workspace_exists`, `workspace_name_taken`, `client_exists`,
 * `user_conflict`, `transfer_key_missing`, `encryption_key_missing`, `credential_undecryptable`; ArchiveError; StorageError;
 * `signal.reason` when it was stopped. Nothing has changed then.
 */
export async function importWorkspace(
	configuration: Pick<Configuration, "data" | "database" | "encryption">,
	file: string,
	options: ImportWorkspaceOptions = {},
): Promise<ImportedWorkspace> {
	await prepareDataFolder(configuration.data);
	const target = await openImportTarget(configuration);
	try {
		await removeUnfinishedImports(configuration.data, target);
		return await importInto(target, configuration, file, options);
	} finally {
		await target.close();
	}
}

const STAGING_NAME = /^\.importing-[0-9a-f-]{36}$/;
/** File in the staging folder with the id of the workspace. */
const ID_FILE = "workspace-id";

/** Removes what imports that were killed have left, with all of a workspace that the deployment does not know. */
async function removeUnfinishedImports(folder: string, target: ImportTarget): Promise<void> {
	for (const name of (await readdir(folder)).filter((found) => STAGING_NAME.test(found))) {
		const id = await readId(join(folder, name, ID_FILE));
		if (id !== undefined) await removeUnknown(target, id);
		await rm(join(folder, name), { recursive: true, force: true });
	}
}

async function removeUnknown({ deployment, remove }: ImportTarget, id: string): Promise<void> {
	if (!(await deployment.hasWorkspace(id))) await remove(id);
}

async function readId(file: string): Promise<string | undefined> {
	try {
		const text = readFileSync(file, "utf8");
		return /^ws_[0-9a-z]{26}$/.test(text) ? text : undefined;
	} catch {
		return undefined;
	}
}

async function importInto(
	target: ImportTarget,
	{ data: folder, encryption }: Pick<Configuration, "data" | "encryption">,
	file: string,
	options: ImportWorkspaceOptions,
): Promise<ImportedWorkspace> {
	const staging = join(folder, `.importing-${randomUUID()}`);
	await mkdir(staging, { mode: 0o700 });
	try {
		const isExpected = (path: string): boolean => EXPORT_PATH.test(path);
		const archive = await extractArchive(file, staging, { ...options, isExpected });
		const manifest = parseWorkspaceManifest(archive.manifest, file);
		assertParts(file, manifest, archive);
		const lines = toLines(staging, manifest);
		const workspace = { ...manifest.workspace, name: options.name ?? manifest.workspace.name };
		const conflict = await target.deployment.findConflict(workspace, lines);
		if (conflict !== undefined) throw conflictError(conflict);
		requireFreeSpace(
			folder,
			[...archive.parts.values()].reduce((sum, { bytes }) => sum + bytes, 0),
			"The import",
		);
		const credentials = await buildDatabase(staging, file, manifest, encryption.keys, options);
		options.signal?.throwIfAborted();
		await writeFile(join(staging, ID_FILE), workspace.id, { mode: 0o600, flush: true });
		await target.place(join(staging, `${workspace.id}.sqlite`), workspace.id);
		await target.deployment.insert(workspace, lines);
		return { folder, workspaceId: workspace.id, name: workspace.name, credentials, manifest };
	} catch (error) {
		const { id } = await readStagedId(staging);
		if (id !== undefined) await removeUnknown(target, id);
		throw error;
	} finally {
		await rm(staging, { recursive: true, force: true });
	}
}

const readStagedId = async (staging: string) => ({ id: await readId(join(staging, ID_FILE)) });

const EXPORT_PATH = /^(?:(?:deployment|workspace)\/[a-z0-9_]+\.jsonl|contents\/[1-9][0-9]{0,15})$/;

function assertParts(
	file: string,
	{ parts, contents, schema_versions }: WorkspaceManifest,
	archive: ReadArchive,
): void {
	if (
		schema_versions.workspace > CURRENT_VERSIONS.workspace ||
		schema_versions.deployment > CURRENT_VERSIONS.deployment
	)
		throw unsupportedArchiveError(
			file,
			`tables of version ${schema_versions.workspace}, this Stemma supports up to ${CURRENT_VERSIONS.workspace}`,
		);
	const entries = [...archive.parts.keys()];
	if (entries.filter((path) => path.startsWith("contents/")).length !== contents)
		throw damagedArchiveError(file, "files of documents are missing");
	if (entries.length !== parts.length + contents)
		throw damagedArchiveError(file, "its manifest lists other files than it holds");
	for (const { path, kind, bytes, sha256 } of parts) {
		const kinds = path.startsWith("deployment/") ? DEPLOYMENT_KINDS : WORKSPACE_KINDS;
		if (!kinds.includes(kind) || !path.endsWith(`/${kind}.jsonl`))
			throw damagedArchiveError(file, `it has the unknown kind ${JSON.stringify(kind)}`);
		const found = archive.parts.get(path);
		if (found?.bytes !== bytes || found.sha256 !== sha256)
			throw damagedArchiveError(file, `${path} is missing, or has changed since it was written`);
	}
}

/** Kinds of the deployment by their name; `audit` of the workspace is apart from that of the deployment. */
const toLines = (staging: string, { parts }: WorkspaceManifest, area = "deployment") =>
	new Map(
		parts
			.filter(({ path }) => path.startsWith(`${area}/`))
			.map(({ kind, path }) => [kind, () => readLines(join(staging, path))]),
	);

/** Builds the database of a workspace in the staging folder. @returns the number of its credentials. */
async function buildDatabase(
	staging: string,
	file: string,
	manifest: WorkspaceManifest,
	keys: readonly EncryptionKey[],
	options: ImportWorkspaceOptions,
): Promise<number> {
	const { id } = manifest.workspace;
	const path = join(staging, `${id}.sqlite`);
	prepareDatabaseFile(path);
	const database = createImportedDatabase(path, manifest.schema_versions.workspace);
	let credentials: number;
	try {
		try {
			database.insert({
				workspaceId: id,
				lines: toLines(staging, manifest, "workspace"),
				readContent: (number) => toContentReader(join(staging, "contents", String(number))),
			});
		} catch (error) {
			throw damagedArchiveError(file, error instanceof Error ? error.message : String(error), error);
		}
		for (const { path: part, kind, rows } of manifest.parts)
			if (part.startsWith("workspace/") && database.count(kind) !== rows)
				throw damagedArchiveError(file, `${part} has ${database.count(kind)} rows, not ${rows}`);
		credentials = await importCredentials(database.ciphertexts, id, keys, options);
	} finally {
		database.close();
	}
	const { damage } = summarizeDatabase(path, false);
	if (damage.length > 0) throw damagedArchiveError(file, damage.join("; "));
	return credentials;
}

const toContentReader =
	(path: string) =>
	(position: number, length: number): Uint8Array =>
		readSpooled({ path, offset: 0, size: position + length, sha256: "" }, position, length);

async function importCredentials(
	ciphertexts: Parameters<typeof sealAgain>[0],
	workspaceId: string,
	keys: readonly EncryptionKey[],
	{ transferKey, withoutSecrets = false }: ImportWorkspaceOptions,
): Promise<number> {
	const found = await ciphertexts.list(workspaceId);
	if (found.length === 0) return 0;
	if (withoutSecrets) {
		await deleteUndecryptable([{ id: workspaceId, store: { ciphertexts } }], createKeyring([]));
		return 0;
	}
	if (transferKey === undefined)
		throw new ConfigurationError("The archive has encrypted credentials.", {
			code: "transfer_key_missing",
			hint: "Add --transfer-key <file> with the file that stemma export wrote, or leave them out with --without-secrets.",
		});
	const keyring = createKeyring(keys);
	if (keyring.isEmpty)
		throw new ConfigurationError(
			"There is no encryption key to encrypt the credentials of the workspace with.",
			{
				code: "encryption_key_missing",
				hint: 'Set "encryption.keys" or STEMMA_ENCRYPTION_KEY as for the service, or leave the credentials out with --without-secrets.',
			},
		);
	return sealAgain(ciphertexts, workspaceId, createKeyring([transferKey]), keyring);
}

function conflictError(conflict: ImportConflict): ConfigurationError {
	switch (conflict.kind) {
		case "workspace_exists":
			return new ConfigurationError(`The deployment has a workspace ${conflict.id} already.`, {
				code: "workspace_exists",
				hint: "An import keeps ids. Delete the workspace first, or import into another data folder.",
			});
		case "client_exists":
			return new ConfigurationError(`The deployment has ${conflict.id} already, in another workspace.`, {
				code: "client_exists",
				hint: "Delete that client or client key first, or import into another data folder.",
			});
		case "name_taken":
			return new ConfigurationError(`The deployment has a workspace with the name "${conflict.name}".`, {
				code: "workspace_name_taken",
				hint: "Give another name with --name.",
			});
		case "user_conflict":
			return new ConfigurationError(`The deployment knows ${conflict.email} under another id.`, {
				code: "user_conflict",
				hint: "Remove that member from the workspaces of one of the two deployments first, or import into another data folder.",
			});
	}
}
