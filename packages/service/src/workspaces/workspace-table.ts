import type { StorageError } from "../store/storage-error";
import type { StoreOpener } from "../store/store-opener";
import {
	closeDamagedWorkspace,
	closeDeletedWorkspace,
	openWorkspace,
	type WorkspaceOptions,
} from "./open-workspace";
import { toUnavailableWorkspace, type UnavailableWorkspace } from "./unavailable-workspace";
import type { Workspace } from "./workspace";
import type { WorkspaceRepository } from "./workspace-repository";

/** Workspaces that a deployment knows. */
export type KnownWorkspaces = Pick<WorkspaceRepository, "find" | "listAll">;

export interface WorkspacesOptions extends WorkspaceOptions {
	/** A workspace cannot be used from now on, until the next start or until `retry` opens it. */
	readonly onUnavailable: (workspace: UnavailableWorkspace) => void;
}

/** Workspaces of a deployment, by id, and how to open them. */
export interface WorkspaceTable {
	readonly opener: StoreOpener;
	/** Workspaces that the deployment knows; other instances may add and delete some. */
	readonly known: KnownWorkspaces;
	readonly options: WorkspacesOptions;
	readonly open: Map<string, Workspace>;
	readonly unavailable: Map<string, UnavailableWorkspace>;
	/** Ids of those that are being created: the deployment does not know them yet. */
	readonly creating: Set<string>;
	/** Workspaces that are being opened because a request or another instance has named them. */
	readonly opening: Map<string, Promise<Workspace | undefined>>;
	/** Workspaces that were damaged, or deleted by another instance, whose stores are being closed. */
	readonly closing: Map<string, Promise<void>>;
	/** Unavailable workspaces that are being opened again: a deletion waits for them. */
	readonly reopening: Map<string, Promise<void>>;
}

function setUnavailable({ unavailable, options }: WorkspaceTable, id: string, error: unknown): void {
	const problem = toUnavailableWorkspace(id, error);
	const isNewProblem = unavailable.get(id)?.problem.code !== problem.problem.code;
	unavailable.set(id, problem);
	if (isNewProblem) options.onUnavailable(problem);
}

/** Takes out a workspace that is open; while one is being opened, whoever opens it gets the error. */
function markDamaged(table: WorkspaceTable, id: string, error: StorageError): void {
	const { open, closing, options } = table;
	const workspace = open.get(id);
	if (workspace === undefined) return;
	open.delete(id);
	setUnavailable(table, id, error);
	const closed = closeDamagedWorkspace(workspace).catch(options.onError);
	closing.set(
		id,
		closed.finally(() => void closing.delete(id)),
	);
}

export async function openStore(table: WorkspaceTable, id: string, isKnown: boolean): Promise<Workspace> {
	const { opener, options, open, unavailable } = table;
	const onDamage = (error: StorageError): void => markDamaged(table, id, error);
	const workspace = await openWorkspace(opener, { id, isKnown, onDamage }, options);
	open.set(id, workspace);
	unavailable.delete(id);
	return workspace;
}

/** Opens a workspace; one that cannot be opened is unavailable. */
export async function tryToOpen(table: WorkspaceTable, id: string): Promise<Workspace | undefined> {
	try {
		return await openStore(table, id, true);
	} catch (error) {
		setUnavailable(table, id, error);
		return undefined;
	}
}

/** Opens a workspace that another instance has created; `undefined` for one that the deployment does not know, or not any more. */
export function openKnown(table: WorkspaceTable, id: string): Promise<Workspace | undefined> {
	const { known, opening, unavailable } = table;
	async function open(): Promise<Workspace | undefined> {
		if ((await known.find(id)) === undefined || unavailable.has(id)) return undefined;
		const workspace = table.open.get(id) ?? (await tryToOpen(table, id));
		await workspace?.pushNotifications.deliveries.resume();
		return workspace;
	}
	const opened = opening.get(id) ?? open().finally(() => void opening.delete(id));
	opening.set(id, opened);
	return opened;
}

async function reopen(table: WorkspaceTable, id: string): Promise<void> {
	const workspace = await tryToOpen(table, id);
	await workspace?.pushNotifications.deliveries.resume();
}

/** Opens those again whose problem may have passed. */
export async function reopenAll(table: WorkspaceTable): Promise<void> {
	const { unavailable, reopening } = table;
	for (const { id, isTransient } of [...unavailable.values()]) {
		// It may have been deleted while those before it were opened.
		if (!isTransient || !unavailable.has(id)) continue;
		const opened = reopen(table, id).finally(() => void reopening.delete(id));
		reopening.set(id, opened);
		await opened;
	}
}

/** Closes a workspace whose deletion is written down, and deletes what its store has. */
export async function deleteWorkspace(table: WorkspaceTable, id: string): Promise<void> {
	const { opener, closing, creating } = table;
	creating.delete(id);
	const workspace = await removeWorkspace(table, id);
	await closing.get(id);
	if (workspace !== undefined) await closeDeletedWorkspace(workspace);
	await opener.deleteWorkspace(id);
}

/** Takes out a workspace that is deleted. Nobody opens it again, also where its store cannot be deleted. */
async function removeWorkspace(table: WorkspaceTable, id: string): Promise<Workspace | undefined> {
	const { options, open, unavailable, opening, reopening } = table;
	await reopening.get(id)?.catch(options.onError);
	await opening.get(id)?.catch(options.onError);
	const workspace = open.get(id);
	open.delete(id);
	unavailable.delete(id);
	return workspace;
}

/**
 * Opens a workspace that another instance has created, or closes one that another instance has deleted.
 *
 * @returns whether it was closed.
 */
export async function followDeployment(table: WorkspaceTable, id: string): Promise<boolean> {
	const { known, open, unavailable, creating, closing, options } = table;
	if ((await known.find(id)) !== undefined) {
		creating.delete(id);
		if (!open.has(id)) await openKnown(table, id);
		return false;
	}
	if (creating.has(id) || !(open.has(id) || unavailable.has(id))) return false;
	const workspace = await removeWorkspace(table, id);
	if (workspace === undefined) return true;
	const closed = closeDeletedWorkspace(workspace).catch(options.onError);
	closing.set(
		id,
		closed.finally(() => void closing.delete(id)),
	);
	return true;
}
