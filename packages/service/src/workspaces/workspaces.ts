import { statSync } from "node:fs";
import { prepareDatabaseFile } from "../store/data-folder/private-files";
import type { DatabaseThreads } from "../store/database";
import { StorageError } from "../store/storage-error";
import {
	closeDamagedWorkspace,
	closeDeletedWorkspace,
	closeWorkspace,
	openWorkspace,
	type WorkspaceOptions,
} from "./open-workspace";
import { toUnavailableWorkspace, type UnavailableWorkspace } from "./unavailable-workspace";
import type { Workspace } from "./workspace";
import { deleteWorkspaceFiles, toWorkspaceFile } from "./workspace-files";

/** The workspaces of a deployment, all open but those that cannot be used. */
export interface Workspaces {
	/** Finds a workspace; `undefined` where there is none of this id, none any more, or where it cannot be used. */
	find(id: string): Workspace | undefined;
	list(): readonly Workspace[];
	/** Finds what is wrong with a workspace that is known and cannot be used. */
	findUnavailable(id: string): UnavailableWorkspace | undefined;
	listUnavailable(): readonly UnavailableWorkspace[];
	/** Opens the file of a workspace; makes it where there is none. */
	open(id: string): Promise<Workspace>;
	/** Opens those again that may be well by now, such as after the disk was full. */
	retry(): Promise<void>;
	/** Closes a workspace whose deletion is written down, and deletes its files. */
	delete(id: string): Promise<void>;
	/** Lets runs end within the grace time, then closes all files. */
	close(graceMs: number): Promise<void>;
}

export interface WorkspacesOptions extends WorkspaceOptions {
	/** A workspace cannot be used from now on, until the next start or until `retry` opens it. */
	readonly onUnavailable: (workspace: UnavailableWorkspace) => void;
}

/** Number of the deployment's workspaces, with those that cannot be used. */
export const countWorkspaces = (workspaces: Workspaces): number =>
	workspaces.list().length + workspaces.listUnavailable().length;

/** A workspace that is known has a file: an empty one in its place would hide what was lost. */
function assertNotEmpty(file: string): void {
	if (statSync(file, { throwIfNoEntry: false })?.size) return;
	throw new StorageError(`The file ${file} is missing or empty: a workspace has everything in it.`, {
		code: "storage_missing",
		hint: "Put it back, or restore the data folder from a backup.",
	});
}

/**
 * Opens the workspaces of a deployment. One that cannot be opened is unavailable; the others are served.
 *
 * @param folder - holds one file for each workspace, named after its id.
 * @param ids - those that have a file.
 */
export async function openWorkspaces(
	threads: DatabaseThreads,
	folder: string,
	ids: readonly string[],
	{ onUnavailable, ...options }: WorkspacesOptions,
): Promise<Workspaces> {
	const workspaces = new Map<string, Workspace>();
	const unavailable = new Map<string, UnavailableWorkspace>();
	/** Damaged workspaces whose files are being closed. */
	const closing = new Map<string, Promise<void>>();
	/** Unavailable workspaces that are being opened again: a deletion waits for them. */
	const reopening = new Map<string, Promise<void>>();

	function setUnavailable(id: string, error: unknown): void {
		const problem = toUnavailableWorkspace(id, error);
		const isNewProblem = unavailable.get(id)?.problem.code !== problem.problem.code;
		unavailable.set(id, problem);
		if (isNewProblem) onUnavailable(problem);
	}

	/** Takes out a workspace that is open; while one is being opened, whoever opens it gets the error. */
	function markDamaged(id: string, error: StorageError): void {
		const workspace = workspaces.get(id);
		if (workspace === undefined) return;
		workspaces.delete(id);
		setUnavailable(id, error);
		const closed = closeDamagedWorkspace(workspace).catch(options.onError);
		closing.set(
			id,
			closed.finally(() => void closing.delete(id)),
		);
	}

	async function openFile(id: string, isKnown: boolean): Promise<Workspace> {
		const file = toWorkspaceFile(folder, id);
		prepareDatabaseFile(file, !isKnown);
		if (isKnown) assertNotEmpty(file);
		const onDamage = (error: StorageError): void => markDamaged(id, error);
		const workspace = await openWorkspace(threads, { id, file, isKnown, onDamage }, options);
		workspaces.set(id, workspace);
		unavailable.delete(id);
		return workspace;
	}

	async function tryToOpen(id: string): Promise<Workspace | undefined> {
		try {
			return await openFile(id, true);
		} catch (error) {
			setUnavailable(id, error);
			return undefined;
		}
	}

	async function reopen(id: string): Promise<void> {
		const workspace = await tryToOpen(id);
		await workspace?.pushNotifications.deliveries.resume();
	}

	for (const id of ids) await tryToOpen(id);
	return {
		find: (id) => workspaces.get(id),
		list: () => [...workspaces.values()],
		findUnavailable: (id) => unavailable.get(id),
		listUnavailable: () => [...unavailable.values()],
		open: async (id) => workspaces.get(id) ?? (await openFile(id, false)),
		async retry() {
			for (const { id, isTransient } of [...unavailable.values()]) {
				// It may have been deleted while those before it were opened.
				if (!isTransient || !unavailable.has(id)) continue;
				const opened = reopen(id).finally(() => void reopening.delete(id));
				reopening.set(id, opened);
				await opened;
			}
		},
		async delete(id) {
			await reopening.get(id)?.catch(options.onError);
			const workspace = workspaces.get(id);
			workspaces.delete(id);
			// Nobody opens it again, also where its files cannot be deleted.
			unavailable.delete(id);
			await closing.get(id);
			if (workspace !== undefined) await closeDeletedWorkspace(workspace);
			await deleteWorkspaceFiles(folder, id);
		},
		async close(graceMs) {
			await Promise.all([...workspaces.values()].map((workspace) => closeWorkspace(workspace, graceMs)));
			await Promise.all(closing.values());
			await options.readers.stop();
		},
	};
}
