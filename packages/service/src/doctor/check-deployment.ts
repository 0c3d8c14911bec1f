import { relative } from "node:path";
import { toDeploymentFile } from "../store/data-folder/deployment-file";
import {
	listWorkspaceFiles,
	toWorkspaceFile,
	toWorkspacesFolder,
} from "../store/data-folder/workspace-files";
import { DEPLOYMENT_VERSION, toDeploymentStore } from "../store/sqlite/open-shared-stores";
import { type FileCheck, findFileProblem, readFileSize } from "./check-database-file";
import { type KnownWorkspace, toProblem } from "./check-workspaces";
import type { CheckedFile, DataFolderProblem } from "./data-folder-report";

/** Result of checking the deployment's database and the workspace files around it. */
export interface CheckedDeployment {
	readonly file: CheckedFile;
	readonly problems: readonly DataFolderProblem[];
	/** Oldest first; empty where the file cannot be read. */
	readonly workspaces: readonly KnownWorkspace[];
}

/** Checks the database of a deployment, and whether it knows the files of workspaces that are there. */
export async function checkDeployment(
	folder: string,
	check: Pick<FileCheck, "isQuick" | "isServed" | "isServedNow">,
): Promise<CheckedDeployment> {
	const path = toDeploymentFile(folder);
	const file = relative(folder, path);
	let workspaces: readonly KnownWorkspace[] = [];
	let deleted: readonly string[] = [];
	const problem = await findFileProblem({
		...check,
		file: path,
		version: DEPLOYMENT_VERSION,
		async onSound(opened) {
			const store = toDeploymentStore(opened, path);
			workspaces = await store.workspaces.listAll();
			deleted = await store.workspaces.listDeleted();
		},
	});
	const checked = { file, bytes: readFileSize(path), isSound: problem === undefined };
	if (problem !== undefined)
		return { file: checked, problems: [{ severity: "error", ...toProblem(problem), file }], workspaces };
	const known = [...workspaces.map(({ id }) => id), ...deleted];
	const problems = [...deleted.map(toUnfinishedDeletionProblem), ...listUnknownFiles(folder, known)];
	return { file: checked, problems, workspaces };
}

const toUnfinishedDeletionProblem = (id: string): DataFolderProblem => ({
	severity: "error",
	code: "workspace_deletion_unfinished",
	file: toWorkspaceFile("workspaces", id),
	workspaceId: id,
	message: `The workspace ${id} is deleted, but its files are not.`,
	hint: "The service tries again every hour and at each start; its log says what is in the way. Move away what is in the place of the file or of those beside it, or give the service the right to delete them.",
});

function listUnknownFiles(folder: string, known: readonly string[]): DataFolderProblem[] {
	return listWorkspaceFiles(toWorkspacesFolder(folder))
		.filter((id) => !known.includes(id))
		.map((id) => ({
			severity: known.length === 0 ? "error" : "warning",
			code: known.length === 0 ? "deployment_missing" : "workspace_files_unknown",
			file: toWorkspaceFile("workspaces", id),
			workspaceId: id,
			message: `The deployment knows no workspace ${id}.`,
			hint: "Restore deployment.sqlite from a backup that knows it, or move the file away.",
		}));
}
