import type { StorageError } from "../store/storage-error";
import type { StoreOpener } from "../store/store-opener";
import {
	closeDamagedWorkspace,
	closeDeletedWorkspace,
	closeWorkspace,
	openWorkspace,
	recoverWork,
	type WorkspaceOptions,
} from "./open-workspace";
import { toUnavailableWorkspace, type UnavailableWorkspace } from "./unavailable-workspace";
import type { Workspace } from "./workspace";

/** The workspaces of a deployment, all open but those that cannot be used. */
export interface Workspaces {
	/** Finds a workspace; `undefined` where there is none of this id, none any more, or where it cannot be used. */
	find(id: string): Workspace | undefined;
	list(): readonly Workspace[];
	/** Finds what is wrong with a workspace that is known and cannot be used. */
	findUnavailable(id: string): UnavailableWorkspace | undefined;
	listUnavailable(): readonly UnavailableWorkspace[];
	/** Opens the store of a workspace; makes it where there is none. */
	open(id: string): Promise<Workspace>;
	/** Opens those again that may be well by now, such as after the disk was full. */
	retry(): Promise<void>;
	/** Lists the ids of those in which instances without a lease have left work. None for a store of one process. */
	listInterrupted(): Promise<readonly string[]>;
	/** Ends what instances have left in workspaces, and what this one is not sure of. */
	recover(ids: readonly string[]): Promise<void>;
	/** Closes a workspace whose deletion is written down, and deletes all that it has stored. */
	delete(id: string): Promise<void>;
	/** Lets runs end within the grace time, then closes all stores. */
	close(graceMs: number): Promise<void>;
}

export interface WorkspacesOptions extends WorkspaceOptions {
	/** A workspace cannot be used from now on, until the next start or until `retry` opens it. */
	readonly onUnavailable: (workspace: UnavailableWorkspace) => void;
}

/** Number of the deployment's workspaces, with those that cannot be used. */
export const countWorkspaces = (workspaces: Workspaces): number =>
	workspaces.list().length + workspaces.listUnavailable().length;

/** Workspaces of a deployment, by id, and how to open them. */
interface WorkspaceTable {
	readonly opener: StoreOpener;
	readonly options: WorkspacesOptions;
	readonly open: Map<string, Workspace>;
	readonly unavailable: Map<string, UnavailableWorkspace>;
	/** Damaged workspaces whose stores are being closed. */
	readonly closing: Map<string, Promise<void>>;
	/** Unavailable workspaces that are being opened again: a deletion waits for them. */
	readonly reopening: Map<string, Promise<void>>;
}

/**
 * Opens the workspaces of a deployment. One that cannot be opened is unavailable; the others are served.
 *
 * @param ids - those that the deployment knows.
 */
export async function openWorkspaces(
	opener: StoreOpener,
	ids: readonly string[],
	options: WorkspacesOptions,
): Promise<Workspaces> {
	const state = { open: new Map(), unavailable: new Map(), closing: new Map(), reopening: new Map() };
	const table: WorkspaceTable = { opener, options, ...state };
	for (const id of ids) await tryToOpen(table, id);
	return {
		find: (id) => table.open.get(id),
		list: () => [...table.open.values()],
		findUnavailable: (id) => table.unavailable.get(id),
		listUnavailable: () => [...table.unavailable.values()],
		open: async (id) => table.open.get(id) ?? (await openStore(table, id, false)),
		retry: () => reopenAll(table),
		listInterrupted: async () => (await opener.listInterrupted?.()) ?? [],
		recover: (ids) => recoverAll(table, ids),
		delete: (id) => deleteWorkspace(table, id),
		async close(graceMs) {
			await Promise.all([...table.open.values()].map((workspace) => closeWorkspace(workspace, graceMs)));
			await Promise.all(table.closing.values());
			await options.readers.stop();
		},
	};
}

async function recoverAll({ options, open }: WorkspaceTable, interrupted: readonly string[]): Promise<void> {
	for (const [id, workspace] of open)
		if (interrupted.includes(id) || workspace.store.claims.hasUnconfirmed)
			await recoverWork(workspace).catch(options.onError);
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

async function openStore(table: WorkspaceTable, id: string, isKnown: boolean): Promise<Workspace> {
	const { opener, options, open, unavailable } = table;
	const onDamage = (error: StorageError): void => markDamaged(table, id, error);
	const workspace = await openWorkspace(opener, { id, isKnown, onDamage }, options);
	open.set(id, workspace);
	unavailable.delete(id);
	return workspace;
}

async function tryToOpen(table: WorkspaceTable, id: string): Promise<Workspace | undefined> {
	try {
		return await openStore(table, id, true);
	} catch (error) {
		setUnavailable(table, id, error);
		return undefined;
	}
}

async function reopen(table: WorkspaceTable, id: string): Promise<void> {
	const workspace = await tryToOpen(table, id);
	await workspace?.pushNotifications.deliveries.resume();
}

async function reopenAll(table: WorkspaceTable): Promise<void> {
	const { unavailable, reopening } = table;
	for (const { id, isTransient } of [...unavailable.values()]) {
		// It may have been deleted while those before it were opened.
		if (!isTransient || !unavailable.has(id)) continue;
		const opened = reopen(table, id).finally(() => void reopening.delete(id));
		reopening.set(id, opened);
		await opened;
	}
}

async function deleteWorkspace(table: WorkspaceTable, id: string): Promise<void> {
	const { opener, options, open, unavailable, closing, reopening } = table;
	await reopening.get(id)?.catch(options.onError);
	const workspace = open.get(id);
	open.delete(id);
	// Nobody opens it again, also where its store cannot be deleted.
	unavailable.delete(id);
	await closing.get(id);
	if (workspace !== undefined) await closeDeletedWorkspace(workspace);
	await opener.deleteWorkspace(id);
}
