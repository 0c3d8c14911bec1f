import { relative } from "node:path";
import { toDeploymentFile } from "../store/deployment-database";
import { deploymentMigrations } from "../store/deployment-tables";
import { toWorkspacesFolder } from "../workspaces/delete-workspace";
import { listWorkspaceFiles, toWorkspaceFile } from "../workspaces/workspace-files";
import { type FileCheck, findFileProblem, sizeOf } from "./check-database-file";
import { type KnownWorkspace, toProblem } from "./check-workspaces";
import type { CheckedFile, DataFolderProblem } from "./data-folder-report";

export interface CheckedDeployment {
	readonly file: CheckedFile;
	readonly problems: readonly DataFolderProblem[];
	/** Oldest first; empty where the file cannot be read. */
	readonly workspaces: readonly KnownWorkspace[];
}

/** Checks the database of a deployment, and whether it knows the files of workspaces that are there. */
export async function checkDeployment(
	folder: string,
	check: Pick<FileCheck, "isQuick" | "isServed">,
): Promise<CheckedDeployment> {
	const path = toDeploymentFile(folder);
	const file = relative(folder, path);
	let workspaces: readonly KnownWorkspace[] = [];
	const problem = await findFileProblem({
		...check,
		file: path,
		version: deploymentMigrations.length,
		async inspect(opened) {
			const rows = opened
				.prepare("SELECT id, name FROM workspaces WHERE deleting_at IS NULL ORDER BY id")
				.all();
			workspaces = rows.map(({ id, name }) => ({ id: String(id), name: String(name) }));
		},
	});
	const checked = { file, bytes: sizeOf(path), isSound: problem === undefined };
	if (problem !== undefined)
		return { file: checked, problems: [{ severity: "error", ...toProblem(problem), file }], workspaces };
	return { file: checked, problems: listUnknownFiles(folder, workspaces), workspaces };
}

function listUnknownFiles(folder: string, workspaces: readonly KnownWorkspace[]): DataFolderProblem[] {
	const known = workspaces.map(({ id }) => id);
	return listWorkspaceFiles(toWorkspacesFolder(folder))
		.filter((id) => !known.includes(id))
		.map((id) => ({
			severity: known.length === 0 ? "error" : "warning",
			code: known.length === 0 ? "deployment_missing" : "workspace_files_unknown",
			file: toWorkspaceFile("workspaces", id),
			workspaceId: id,
			message: `The deployment knows no workspace ${id}.`,
			hint: "Put the deployment.sqlite back from a backup that knows it, or move the file away.",
		}));
}
