import { closeSync, openSync, writeSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { clock } from "@stemma/core/internal";
import { MANIFEST } from "../archives/read-archive";
import { type ArchiveWriter, writeArchive } from "../archives/write-archive";
import type { Configuration } from "../configuration/configuration";
import type { EncryptionKey } from "../encryption/encryption-keys";
import { createKeyring, type Keyring } from "../encryption/keyring";
import { deleteUndecryptable } from "../encryption/verify-ciphertexts";
import { STEMMA_VERSION } from "../stemma-version";
import {
	DEPLOYMENT_KINDS,
	type ExportedDatabase,
	type ExportedDeployment,
	type ExportedDeploymentRow,
	openExportedDatabase,
	openExportedDeployment,
	VECTOR_KINDS,
	WORKSPACE_KINDS,
} from "../store/sqlite/open-transfer";
import { type ExportSource, openExportSource, toCopies } from "./export-source";
import { sealAgain } from "./seal-again";
import { WORKSPACE_FORMAT, type WorkspaceManifest, type WorkspacePart } from "./workspace-manifest";

/** Options of an export. */
export interface ExportWorkspaceOptions {
	/** Id or name. */
	readonly workspace: string;
	/** Encrypts credentials in the archive. Without it, a workspace with credentials is refused, unless they are left out. */
	readonly transferKey?: EncryptionKey | undefined;
	/** Leaves credentials out. Default false. */
	readonly withoutSecrets?: boolean | undefined;
	/** Leaves vectors out; `stemma kb reindex` computes them again. Default false. */
	readonly withoutVectors?: boolean | undefined;
	/** Replaces a file of that name. Default false. */
	readonly canReplace?: boolean | undefined;
	readonly onProgress?: ((done: number, total: number, kind: string) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
}

export interface ExportedWorkspace {
	readonly file: string;
	readonly bytes: number;
	readonly manifest: WorkspaceManifest;
}

/**
 * Writes a workspace as an archive that another deployment can import, also while a service serves it.
 *
 * @throws ConfigurationError `data_folder_missing`, `workspace_not_found`, `transfer_key_missing`, `credential_undecryptable`;
 * StorageError; ArchiveError; `signal.reason` when it was stopped. Nothing is left then.
 */
export async function exportWorkspace(
	configuration: Pick<Configuration, "data" | "database" | "encryption">,
	file: string,
	options: ExportWorkspaceOptions,
): Promise<ExportedWorkspace> {
	const keyring = createKeyring(configuration.encryption.keys);
	const path = resolve(file);
	const source = await openExportSource(configuration);
	try {
		const manifest = await writeArchive(path, { ...options, isCompressed: true }, (archive) =>
			exportFrom(source, archive, keyring, options),
		);
		return { file: path, bytes: (await stat(path)).size, manifest };
	} finally {
		await source.close();
	}
}

async function exportFrom(
	source: ExportSource,
	archive: ArchiveWriter,
	keyring: Keyring,
	options: ExportWorkspaceOptions,
): Promise<WorkspaceManifest> {
	const copies = toCopies(archive.workFolder);
	await source.copyDeployment(options.workspace, copies.deployment);
	const deployment = openExportedDeployment(copies.deployment);
	try {
		const workspace = findWorkspace(deployment, options.workspace);
		await source.copyWorkspace(workspace.id, copies.workspace, options.signal);
		const database = openExportedDatabase(copies.workspace);
		try {
			await prepareCredentials(database, workspace.id, keyring, options);
			if (options.withoutVectors) database.deleteVectors();
			return await addAll(archive, { deployment, workspace, database }, options);
		} finally {
			database.close();
		}
	} finally {
		deployment.close();
	}
}

function findWorkspace(deployment: ExportedDeployment, idOrName: string): ExportedDeploymentRow {
	const workspace = deployment.findWorkspace(idOrName);
	if (workspace !== undefined) return workspace;
	throw new ConfigurationError(`There is no workspace ${JSON.stringify(idOrName)}.`, {
		code: "workspace_not_found",
		hint: 'Give its id or its name; "stemma workspaces list" shows them.',
	});
}

/** Encrypts the credentials of a copy with the transfer key, or deletes them. */
async function prepareCredentials(
	{ ciphertexts }: ExportedDatabase,
	workspaceId: string,
	keyring: Keyring,
	{ transferKey, withoutSecrets = false }: ExportWorkspaceOptions,
): Promise<void> {
	if (withoutSecrets) {
		await deleteUndecryptable([{ id: workspaceId, store: { ciphertexts } }], createKeyring([]));
		return;
	}
	const found = await ciphertexts.list(workspaceId);
	if (found.length === 0) return;
	if (transferKey === undefined)
		throw new ConfigurationError(
			"The workspace has encrypted credentials, and there is no key to move them with.",
			{
				code: "transfer_key_missing",
				hint: "Add --transfer-key <file>: a new key is written there, which the import needs. Or leave them out with --without-secrets.",
			},
		);
	await sealAgain(ciphertexts, workspaceId, keyring, createKeyring([transferKey]));
}

interface ExportedCopies {
	readonly deployment: ExportedDeployment;
	readonly workspace: ExportedDeploymentRow;
	readonly database: ExportedDatabase;
}

async function addAll(
	archive: ArchiveWriter,
	{ deployment, workspace, database }: ExportedCopies,
	options: ExportWorkspaceOptions,
): Promise<WorkspaceManifest> {
	const parts: WorkspacePart[] = [];
	const contents = database.listContents();
	const kinds = WORKSPACE_KINDS.filter((kind) => !options.withoutVectors || !VECTOR_KINDS.includes(kind));
	const total = DEPLOYMENT_KINDS.length + kinds.length + contents.length;
	const add = async (path: string, kind: string, lines: Iterable<string>): Promise<void> => {
		options.signal?.throwIfAborted();
		parts.push(await addLines(archive, path, kind, lines));
		options.onProgress?.(parts.length, total, kind);
	};
	for (const kind of DEPLOYMENT_KINDS)
		await add(`deployment/${kind}.jsonl`, kind, deployment.iterateLines(kind, workspace.id));
	for (const kind of kinds) await add(`workspace/${kind}.jsonl`, kind, database.iterateLines(kind));
	for (const [index, { number, size, pieces }] of contents.entries()) {
		options.signal?.throwIfAborted();
		await archive.addPieces(`contents/${number}`, size, pieces());
		options.onProgress?.(parts.length + index + 1, total, "contents");
	}
	const { withoutSecrets = false, withoutVectors = false, transferKey } = options;
	const keys = withoutSecrets || transferKey === undefined ? [] : createKeyring([transferKey]).fingerprints;
	const manifest: WorkspaceManifest = {
		...WORKSPACE_FORMAT,
		created_at: new Date(clock.now()).toISOString(),
		stemma_version: STEMMA_VERSION,
		schema_versions: { deployment: deployment.version, workspace: database.version },
		workspace,
		transfer_key_check: keys[0]?.keyCheck ?? null,
		has_vectors: !withoutVectors,
		contents: contents.length,
		parts,
	};
	const text = Buffer.from(`${JSON.stringify(manifest, undefined, "\t")}\n`);
	await archive.addPieces(MANIFEST, text.byteLength, [text]);
	return manifest;
}

/** Bytes of lines that are written at once. */
const BATCH_BYTES = 1024 * 1024;

/** Adds lines as an entry. An entry begins with its size, so they are in a file first. */
async function addLines(
	archive: ArchiveWriter,
	path: string,
	kind: string,
	lines: Iterable<string>,
): Promise<WorkspacePart> {
	const file = join(archive.workFolder, "lines.jsonl");
	const rows = writeLines(file, lines);
	try {
		return { ...(await archive.addFile(path, file)), kind, rows };
	} finally {
		await rm(file, { force: true });
	}
}

function writeLines(file: string, lines: Iterable<string>): number {
	const handle = openSync(file, "wx", 0o600);
	try {
		let rows = 0;
		let batch: string[] = [];
		let characters = 0;
		for (const line of lines) {
			rows += 1;
			batch.push(line);
			characters += line.length;
			if (characters < BATCH_BYTES) continue;
			writeSync(handle, batch.join(""));
			batch = [];
			characters = 0;
		}
		writeSync(handle, batch.join(""));
		return rows;
	} finally {
		closeSync(handle);
	}
}
