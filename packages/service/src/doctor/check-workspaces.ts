import { relative } from "node:path";
import type { Keyring } from "../encryption/keyring";
import type { OutdatedCounts } from "../knowledge/repositories/upload-repository";
import { toWorkspaceFile, toWorkspacesFolder } from "../store/data-folder/workspace-files";
import { countOutdated, toWorkspaceStore, WORKSPACE_VERSION } from "../store/sqlite/open-shared-stores";
import type { SqliteFile } from "../store/sqlite-file";
import { StorageError } from "../store/storage-error";
import { readWorkspaceIdentity } from "../store/workspace-identity";
import type { StoredWorkspace } from "../workspaces/workspace-repository";
import { type FileCheck, findFileProblem, readFileSize } from "./check-database-file";
import type { CheckedFile, DataFolderProblem } from "./data-folder-report";

/** A workspace as the deployment knows it. */
export type KnownWorkspace = Pick<StoredWorkspace, "id" | "name">;

export interface WorkspaceCheck extends Pick<FileCheck, "isQuick" | "isServed" | "isServedNow"> {
	readonly folder: string;
	/** Opens what is encrypted; where it is empty, that is not checked. */
	readonly keyring: Keyring;
}

/** Checks the file of a workspace: whether it is sound, the workspace's own, and whether what is encrypted in it opens. */
export async function checkWorkspace(
	{ id, name }: KnownWorkspace,
	{ folder, keyring, ...check }: WorkspaceCheck,
): Promise<{ readonly file: CheckedFile; readonly problems: readonly DataFolderProblem[] }> {
	const path = toWorkspaceFile(toWorkspacesFolder(folder), id);
	const file = relative(folder, path);
	const warnings: DataFolderProblem[] = [];
	const problem = await findFileProblem({
		...check,
		file: path,
		version: WORKSPACE_VERSION,
		async onSound(opened) {
			assertOwner(opened, id);
			const undecryptableCount = keyring.isEmpty ? 0 : await countUndecryptable(opened, path, id, keyring);
			if (undecryptableCount > 0) warnings.push({ ...toUndecryptableProblem(id, undecryptableCount), file });
			const outdated = countOutdated(opened);
			warnings.push(...toOutdatedProblems(id, outdated).map((warning) => ({ ...warning, file })));
		},
	});
	const found: DataFolderProblem[] = problem
		? [{ severity: "error", ...toProblem(problem), file, workspaceId: id }]
		: [];
	return {
		file: { file, workspaceId: id, name, bytes: readFileSize(path), isSound: problem === undefined },
		problems: [...found, ...warnings],
	};
}

/** An error of the store, by its parts. */
export const toProblem = ({
	code,
	message,
	hint = "",
}: StorageError): Pick<DataFolderProblem, "code" | "message" | "hint"> => ({ code, message, hint });

/** A file of an earlier version does not say whose it is. */
function assertOwner(opened: SqliteFile, id: string): void {
	const owner = readWorkspaceIdentity(opened);
	if (owner === undefined || owner === id) return;
	throw new StorageError(`The file of the workspace ${id} belongs to the workspace ${owner}.`, {
		code: "storage_mismatch",
		hint: "Stop the service and restore the right file from a backup.",
	});
}

const toOutdatedProblems = (workspaceId: string, { waiting, left }: OutdatedCounts): DataFolderProblem[] => [
	...(waiting === 0
		? []
		: [
				{
					...({ severity: "warning", code: "documents_outdated", workspaceId } as const),
					message: `An earlier version read ${waiting} documents of the workspace ${workspaceId}. They are found as it read them.`,
					hint: "You need not do anything: a running service reads them again, unless documents.reread_outdated is false.",
				},
			]),
	...(left === 0
		? []
		: [
				{
					...({ severity: "warning", code: "documents_not_reread", workspaceId } as const),
					message: `An earlier version read ${left} documents of the workspace ${workspaceId}. They are not read again automatically: their file is not stored, or their passages have vectors, which would cost money again.`,
					hint: "Upload them again to have them read as this version does.",
				},
			]),
];

async function countUndecryptable(
	opened: SqliteFile,
	path: string,
	id: string,
	keyring: Keyring,
): Promise<number> {
	const values = await toWorkspaceStore(opened, path).ciphertexts.list(id);
	return values.filter(({ envelope, binding }) => keyring.decrypt(envelope, binding) === undefined).length;
}

const toUndecryptableProblem = (id: string, count: number): DataFolderProblem => ({
	severity: "warning",
	code: "credential_undecryptable",
	workspaceId: id,
	message: `No encryption key decrypts ${count} of the encrypted credentials of the workspace ${id}.`,
	hint: "Restore the key that they were encrypted with, in encryption.keys or STEMMA_ENCRYPTION_KEY, or let the workspace set them again.",
});
