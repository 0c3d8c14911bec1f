import { existsSync } from "node:fs";
import type { DatabaseThreads } from "../store/database";
import { StorageError } from "../store/storage-error";
import {
	closeDeletedWorkspace,
	closeWorkspace,
	openWorkspace,
	type WorkspaceOptions,
} from "./open-workspace";
import type { Workspace } from "./workspace";
import { deleteWorkspaceFiles, toWorkspaceFile } from "./workspace-files";

/** The workspaces of a deployment, all open. */
export interface Workspaces {
	/** Finds a workspace; `undefined` where there is none of this id, or none any more. */
	find(id: string): Workspace | undefined;
	list(): readonly Workspace[];
	/** Opens the file of a workspace; makes it where there is none. */
	open(id: string): Promise<Workspace>;
	/** Closes a workspace whose deletion is written down, and deletes its files. */
	delete(id: string): Promise<void>;
	/** Lets runs end within the grace time, then closes all files. */
	close(graceMs: number): Promise<void>;
}

/** A workspace that is known has a file: an empty one in its place would hide what was lost. */
function demandFile(file: string): void {
	if (existsSync(file)) return;
	throw new StorageError(`The file ${file} is missing: a workspace has everything in it.`, {
		code: "storage_missing",
		hint: "Put it back, or restore the data folder from a backup.",
	});
}

/** @param folder - holds one file for each workspace, named after its id. */
export async function openWorkspaces(
	threads: DatabaseThreads,
	folder: string,
	ids: readonly string[],
	options: WorkspaceOptions,
): Promise<Workspaces> {
	const workspaces = new Map<string, Workspace>();
	async function open(id: string): Promise<Workspace> {
		const found = workspaces.get(id);
		if (found !== undefined) return found;
		const workspace = await openWorkspace(threads, toWorkspaceFile(folder, id), id, options);
		workspaces.set(id, workspace);
		return workspace;
	}
	for (const id of ids) {
		demandFile(toWorkspaceFile(folder, id));
		await open(id);
	}
	return {
		find: (id) => workspaces.get(id),
		list: () => [...workspaces.values()],
		open,
		async delete(id) {
			const workspace = workspaces.get(id);
			workspaces.delete(id);
			if (workspace !== undefined) await closeDeletedWorkspace(workspace);
			await deleteWorkspaceFiles(folder, id);
		},
		async close(graceMs) {
			await Promise.all([...workspaces.values()].map((workspace) => closeWorkspace(workspace, graceMs)));
			await options.reader.stop();
		},
	};
}
