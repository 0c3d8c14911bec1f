import type { CiphertextRepository } from "../../encryption/ciphertext-repository";
import { deploymentMigrations } from "../deployment-tables";
import { inTransaction } from "../in-transaction";
import { openForWriting, type SqliteFile, toThreadFailure } from "../sqlite-file";
import { StorageError, toStorageError } from "../storage-error";
import { workspaceMigrations } from "../workspace-tables";
import { insertStoredChunks, iterateChunks, type ReadBytes } from "./knowledge/content-chunks";
import { toWorkspaceStore } from "./open-shared-stores";
import { DEPLOYMENT_TABLES, EXPORTED_TABLES, SEQUENCES, VECTOR_TABLES } from "./transfer/exported-tables";
import { deleteVectors, rebuildVectorCodes, rebuildWordIndexes } from "./transfer/rebuild-indexes";
import { iterateLines, openInsertion, parseLine } from "./transfer/row-lines";

/** Kinds of rows of a workspace that an export holds, in the order in which they are imported. */
export const WORKSPACE_KINDS: readonly string[] = [...EXPORTED_TABLES, SEQUENCES];

/** Kinds of rows of the deployment that belong to a workspace, in the order in which they are imported. */
export const DEPLOYMENT_KINDS: readonly string[] = DEPLOYMENT_TABLES;

/** Bytes that a document's file or text consists of. */
export interface ExportedContent {
	readonly number: number;
	readonly size: number;
	pieces(): Iterable<Uint8Array>;
}

/** Copy of a workspace's database that is exported: this process alone has it. */
export interface ExportedDatabase {
	readonly version: number;
	readonly ciphertexts: CiphertextRepository;
	/** Forgets all vectors. */
	deleteVectors(): void;
	/** Rows of a kind as lines of JSON. */
	iterateLines(kind: string): Iterable<string>;
	listContents(): readonly ExportedContent[];
	close(): void;
}

/** Opens a copy of a workspace's database, and brings it to the newest version. @throws StorageError */
export function openExportedDatabase(path: string): ExportedDatabase {
	const file = openFile(path, workspaceMigrations);
	return {
		version: workspaceMigrations.length,
		ciphertexts: toWorkspaceStore(file, path).ciphertexts,
		deleteVectors: () => inTransaction(file, () => deleteVectors(file)),
		iterateLines: (kind) => iterateLines(file, kind),
		listContents: () => listContents(file),
		close: () => file.close(),
	};
}

const listContents = (file: SqliteFile): readonly ExportedContent[] =>
	file
		.prepare<{ readonly number: number; readonly size: number }>(
			"SELECT number, size FROM contents ORDER BY number",
		)
		.all()
		.map(({ number, size }) => ({
			number,
			size,
			*pieces() {
				for (const { bytes } of iterateChunks(file, number)) yield bytes;
			},
		}));

/** Rows of a deployment that belong to one workspace. */
export interface ExportedDeployment {
	readonly version: number;
	/** Id and name; `undefined` where there is no such workspace. */
	findWorkspace(idOrName: string): ExportedDeploymentRow | undefined;
	iterateLines(kind: string, workspaceId: string): Iterable<string>;
	close(): void;
}

export interface ExportedDeploymentRow {
	readonly id: string;
	readonly name: string;
	/** Epoch milliseconds. */
	readonly created_at: number;
}

const USERS_OF_WORKSPACE = "id IN (SELECT user_id FROM members WHERE workspace_id = ?)";

/** Opens a copy of a deployment's database, and brings it to the newest version. @throws StorageError */
export function openExportedDeployment(path: string): ExportedDeployment {
	const file = openFile(path, deploymentMigrations);
	return {
		version: deploymentMigrations.length,
		findWorkspace: (idOrName) =>
			file
				.prepare<ExportedDeploymentRow>(
					"SELECT id, name, created_at FROM workspaces WHERE deleting_at IS NULL AND (id = ?1 OR name = ?1) ORDER BY id = ?1 DESC, id LIMIT 1",
				)
				.get(idOrName),
		iterateLines: (kind, workspaceId) =>
			iterateLines(file, kind, {
				condition: kind === "users" ? USERS_OF_WORKSPACE : "workspace_id = ?",
				parameter: workspaceId,
			}),
		close: () => file.close(),
	};
}

/** New database of a workspace that is being imported. */
export interface ImportedDatabase {
	readonly ciphertexts: CiphertextRepository;
	/** Inserts the rows of all kinds, then the chunks of contents, then what follows from them, in one transaction. */
	insert(input: ImportedRows): void;
	/** Counts the rows of a kind. */
	count(kind: string): number;
	close(): void;
}

export interface ImportedRows {
	readonly workspaceId: string;
	/** Lines of JSON by kind. */
	readonly lines: ReadonlyMap<string, () => Iterable<string>>;
	/** Reads bytes of a content. */
	readonly readContent: (number: number) => ReadBytes;
}

/**
 * Creates the database of a workspace that is imported.
 *
 * @param version - of the tables that the rows are of.
 */
export function createImportedDatabase(path: string, version: number): ImportedDatabase {
	openFile(path, workspaceMigrations.slice(0, version), false).close();
	let file = openFile(path, workspaceMigrations.slice(0, version));
	return {
		get ciphertexts() {
			return toWorkspaceStore(file, path).ciphertexts;
		},
		insert(input) {
			file.database.exec("PRAGMA foreign_keys = OFF");
			inTransaction(file, () => insertRows(file, input));
			file.close();
			file = openFile(path, workspaceMigrations);
			inTransaction(file, () => {
				rebuildVectorCodes(file);
				rebuildWordIndexes(file);
			});
			assertReferences(file, path);
		},
		count: (kind) => countKind(file, kind),
		close: () => file.close(),
	};
}

const countKind = (file: SqliteFile, kind: string): number =>
	file.prepare<{ readonly rows: number }>(`SELECT count(*) AS rows FROM "${kind}"`).get()?.rows ?? 0;

function insertRows(file: SqliteFile, { workspaceId, lines, readContent }: ImportedRows): void {
	file.prepare("DELETE FROM word_index_moves").run();
	file.prepare("INSERT INTO workspace_identity (id) VALUES (?)").run(workspaceId);
	for (const kind of WORKSPACE_KINDS) {
		// Rows have filled the counters.
		if (kind === SEQUENCES) file.prepare("DELETE FROM sqlite_sequence").run();
		const insert = openInsertion(file, kind);
		for (const line of lines.get(kind)?.() ?? []) insert(parseLine(line));
	}
	const contents = file
		.prepare<{ readonly number: number; readonly size: number; readonly is_deflated: number }>(
			"SELECT number, size, is_deflated FROM contents ORDER BY number",
		)
		.all();
	for (const { number, size, is_deflated } of contents)
		insertStoredChunks(file, { number, size, isDeflated: is_deflated === 1 }, readContent(number));
}

function assertReferences(file: SqliteFile, path: string): void {
	const broken = file.prepare<{ readonly table: string }>("PRAGMA foreign_key_check").get();
	if (broken === undefined) return;
	throw new StorageError(
		`The file ${path} is damaged: a row of ${broken.table} refers to a row that is not there.`,
		{
			code: "storage_corrupt",
			hint: "Take another archive.",
		},
	);
}

/** Reason that keeps a workspace out of a deployment. */
export type ImportConflict =
	| { readonly kind: "workspace_exists" | "client_exists"; readonly id: string }
	| { readonly kind: "name_taken"; readonly name: string }
	| { readonly kind: "user_conflict"; readonly email: string };

/** Database of the deployment that a workspace is imported into. */
export interface ImportingDeployment {
	/** Finds what keeps the workspace out. */
	findConflict(
		workspace: ExportedDeploymentRow,
		lines: ImportedRows["lines"],
	): Promise<ImportConflict | undefined>;
	/** Tells whether the deployment knows a workspace, also one that is being deleted. */
	hasWorkspace(id: string): Promise<boolean>;
	/** Adds the workspace with its people and credentials, in one transaction. */
	insert(workspace: ExportedDeploymentRow, lines: ImportedRows["lines"]): Promise<void>;
	close(): Promise<void>;
}

/** Opens the database of a deployment that no service uses; makes it where there is none. */
export function openImportingDeployment(path: string): ImportingDeployment {
	const file = openFile(path, deploymentMigrations, false);
	const has = (sql: string, value: string): boolean => file.prepare(sql).get(value) !== undefined;
	const hasWorkspace = (id: string): boolean => has("SELECT 1 FROM workspaces WHERE id = ?", id);
	return {
		hasWorkspace: async (id) => hasWorkspace(id),
		async findConflict({ id, name }, lines) {
			if (hasWorkspace(id)) return { kind: "workspace_exists", id };
			if (has("SELECT 1 FROM workspaces WHERE name = ? AND deleting_at IS NULL", name))
				return { kind: "name_taken", name };
			return findRowConflict(file, lines);
		},
		insert: async (workspace, lines) => inTransaction(file, () => insertWorkspace(file, workspace, lines)),
		close: async () => file.close(),
	};
}

function findRowConflict(file: SqliteFile, lines: ImportedRows["lines"]): ImportConflict | undefined {
	for (const kind of ["clients", "client_keys"])
		for (const line of lines.get(kind)?.() ?? []) {
			const id = String(parseLine(line).id);
			if (file.prepare(`SELECT 1 FROM "${kind}" WHERE id = ?`).get(id) !== undefined)
				return { kind: "client_exists", id };
		}
	for (const line of lines.get("users")?.() ?? []) {
		const { id, email } = parseLine(line);
		const known = file
			.prepare<{ readonly id: string; readonly email: string }>(
				"SELECT id, email FROM users WHERE id = ? OR email = ?",
			)
			.all(String(id), String(email));
		if (known.some((user) => user.id !== id || user.email !== email))
			return { kind: "user_conflict", email: String(email) };
	}
	return undefined;
}

function insertWorkspace(
	file: SqliteFile,
	{ id, name, created_at }: ExportedDeploymentRow,
	lines: ImportedRows["lines"],
): void {
	file.prepare("INSERT INTO workspaces (id, name, created_at) VALUES (?, ?, ?)").run(id, name, created_at);
	for (const kind of DEPLOYMENT_KINDS) {
		const insert = openInsertion(file, kind);
		for (const line of lines.get(kind)?.() ?? []) {
			const row = parseLine(line);
			if (kind !== "users" && row.workspace_id !== id)
				throw new Error(`A row of ${kind} is of another workspace.`);
			const isKnownUser =
				kind === "users" &&
				file.prepare("SELECT 1 FROM users WHERE id = ?").get(String(row.id)) !== undefined;
			if (!isKnownUser) insert(row);
		}
	}
}

/** Kinds that an export without vectors leaves out. */
export const VECTOR_KINDS = VECTOR_TABLES;

function openFile(path: string, migrations: readonly string[], mustExist = true): SqliteFile {
	try {
		return openForWriting(path, migrations, mustExist);
	} catch (error) {
		throw StorageError.is(error) ? error : toStorageError(toThreadFailure(error), path);
	}
}
