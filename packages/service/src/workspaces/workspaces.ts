import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseThreads } from "../store/database";
import { StorageError } from "../store/storage-error";
import { closeWorkspace, openWorkspace, type WorkspaceOptions } from "./open-workspace";
import type { Workspace } from "./workspace";

/** The workspaces of a deployment, all open. */
export interface Workspaces {
	/** @throws Error for an id that no workspace has: callers come with one that does. */
	get(id: string): Workspace;
	list(): readonly Workspace[];
	/** Opens the file of a workspace; makes it where there is none. */
	open(id: string): Promise<Workspace>;
	/** Lets runs end within the grace time, then closes all files. */
	close(graceMs: number): Promise<void>;
}

const toFile = (folder: string, id: string): string => join(folder, `${id}.sqlite`);

/** A workspace that is known has a file: an empty one in its place would hide what was lost. */
function demandFile(file: string): void {
	if (existsSync(file)) return;
	throw new StorageError(`The file ${file} is missing: a workspace has everything in it.`, {
		code: "storage_missing",
		hint: "Put it back, or restore the data folder from a backup.",
	});
}

/** @param folder - holds one file for each workspace, named after its id; made where it is missing. */
export async function openWorkspaces(
	threads: DatabaseThreads,
	folder: string,
	ids: readonly string[],
	options: WorkspaceOptions,
): Promise<Workspaces> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const workspaces = new Map<string, Workspace>();
	async function open(id: string): Promise<Workspace> {
		const found = workspaces.get(id);
		if (found !== undefined) return found;
		const workspace = await openWorkspace(threads, toFile(folder, id), id, options);
		workspaces.set(id, workspace);
		return workspace;
	}
	for (const id of ids) {
		demandFile(toFile(folder, id));
		await open(id);
	}
	return {
		get(id) {
			const found = workspaces.get(id);
			if (found === undefined) throw new Error(`There is no workspace "${id}".`);
			return found;
		},
		list: () => [...workspaces.values()],
		open,
		async close(graceMs) {
			await Promise.all([...workspaces.values()].map((workspace) => closeWorkspace(workspace, graceMs)));
		},
	};
}
