import type { StoreOpener } from "../store/store-opener";
import { closeWorkspace, recoverWork } from "./open-workspace";
import type { UnavailableWorkspace } from "./unavailable-workspace";
import type { Workspace } from "./workspace";
import {
	deleteWorkspace,
	followDeployment,
	type KnownWorkspaces,
	openKnown,
	openStore,
	reopenAll,
	tryToOpen,
	type WorkspacesOptions,
	type WorkspaceTable,
} from "./workspace-table";

/** The workspaces of a deployment, all open but those that cannot be used. */
export interface Workspaces {
	/** Finds a workspace; `undefined` where there is none of this id, none any more, or where it cannot be used. */
	find(id: string): Workspace | undefined;
	/** Finds a workspace, also one that another instance has created a moment ago. */
	obtain(id: string): Promise<Workspace | undefined>;
	list(): readonly Workspace[];
	/** Finds what is wrong with a workspace that is known and cannot be used. */
	findUnavailable(id: string): UnavailableWorkspace | undefined;
	listUnavailable(): readonly UnavailableWorkspace[];
	/** Creates the store of a workspace that the deployment does not know yet; opens it where there is one. */
	open(id: string): Promise<Workspace>;
	/** Opens those again that may be well by now, such as after the disk was full. */
	retry(): Promise<void>;
	/** Lists the ids of those in which instances without a lease have left work. None for a store of one process. */
	listInterrupted(): Promise<readonly string[]>;
	/** Ends what instances have left in workspaces, and what this one is not sure of. */
	recover(ids: readonly string[]): Promise<void>;
	/**
	 * Opens what other instances have created, and closes what they have deleted.
	 *
	 * @param ids - ids of workspaces that may have changed. Default: all.
	 * @returns ids of those that were closed.
	 */
	synchronize(ids?: readonly string[]): Promise<readonly string[]>;
	/** Closes a workspace whose deletion is written down, and deletes all that it has stored. */
	delete(id: string): Promise<void>;
	/** Lets runs end within the grace time, then closes all stores. */
	close(graceMs: number): Promise<void>;
}

/** Number of the deployment's workspaces, with those that cannot be used. */
export const countWorkspaces = (workspaces: Workspaces): number =>
	workspaces.list().length + workspaces.listUnavailable().length;

/**
 * Opens the workspaces of a deployment. One that cannot be opened is unavailable; the others are served.
 *
 * @param known - workspaces that the deployment knows, which are opened.
 */
export async function openWorkspaces(
	opener: StoreOpener,
	known: KnownWorkspaces,
	options: WorkspacesOptions,
): Promise<Workspaces> {
	const table: WorkspaceTable = {
		...{ opener, known, options, creating: new Set() },
		...{ open: new Map(), unavailable: new Map() },
		...{ opening: new Map(), closing: new Map(), reopening: new Map() },
	};
	for (const { id } of await known.listAll()) await tryToOpen(table, id);
	return {
		find: (id) => table.open.get(id),
		obtain: async (id) => table.open.get(id) ?? openKnown(table, id),
		list: () => [...table.open.values()],
		findUnavailable: (id) => table.unavailable.get(id),
		listUnavailable: () => [...table.unavailable.values()],
		async open(id) {
			const opened = table.open.get(id);
			if (opened !== undefined) return opened;
			table.creating.add(id);
			return openStore(table, id, false);
		},
		retry: () => reopenAll(table),
		listInterrupted: async () => (await opener.listInterrupted?.()) ?? [],
		recover: (ids) => recoverAll(table, ids),
		synchronize: (ids) => synchronize(table, ids),
		delete: (id) => deleteWorkspace(table, id),
		async close(graceMs) {
			await Promise.all([...table.open.values()].map((workspace) => closeWorkspace(workspace, graceMs)));
			await Promise.all(table.closing.values());
			await options.readers.stop();
		},
	};
}

async function synchronize(table: WorkspaceTable, changed?: readonly string[]): Promise<readonly string[]> {
	const ids = changed ?? (await listDifferences(table));
	const closed: string[] = [];
	for (const id of ids) if (await followDeployment(table, id)) closed.push(id);
	return closed;
}

/** Lists ids of workspaces that are open and not known, or known and not open. */
async function listDifferences({ known, open, unavailable }: WorkspaceTable): Promise<readonly string[]> {
	const knownIds = new Set((await known.listAll()).map(({ id }) => id));
	const ownIds = new Set([...open.keys(), ...unavailable.keys()]);
	return [...[...knownIds].filter((id) => !ownIds.has(id)), ...[...ownIds].filter((id) => !knownIds.has(id))];
}

async function recoverAll({ options, open }: WorkspaceTable, interrupted: readonly string[]): Promise<void> {
	for (const [id, workspace] of open)
		if (interrupted.includes(id) || workspace.store.claims.hasUnconfirmed)
			await recoverWork(workspace).catch(options.onError);
}
