import { clock } from "@stemma/core/internal";
import type { InstanceBus } from "../store/claims/instance-bus";
import { StorageError } from "../store/storage-error";
import { purgeWorkspace, type WorkspaceAuthor } from "./delete-workspace";
import { closeIfIdle } from "./open-workspace";
import { hasRequestsInFlight } from "./requests-elsewhere";
import type { Workspace } from "./workspace";
import {
	deletionUnfinished,
	lastWorkspace,
	runsInFlight,
	workspaceInUse,
	workspaceNotFound,
} from "./workspace-errors";
import type { WorkspaceRepository } from "./workspace-repository";
import { countWorkspaces, type Workspaces } from "./workspaces";

/** Deletions of workspaces while the service serves the others. */
export interface WorkspaceDeletions {
	/**
	 * Deletes a workspace, its credentials and its files. Once it is marked as deleted, it is deleted, whatever happens: a
	 * start finishes what a crash has cut off.
	 *
	 * @throws DomainError as `WorkspaceRegistry.delete`.
	 */
	delete(id: string, author: WorkspaceAuthor): Promise<void>;
	/** Tries again to finish deletions whose files could not be removed. Reports each that fails. */
	finishAll(onError: (error: unknown) => void): Promise<void>;
}

export interface WorkspaceDeletionsOptions {
	readonly repository: WorkspaceRepository;
	readonly workspaces: Workspaces;
	readonly bus: Pick<InstanceBus, "subscribe" | "publish">;
	readonly dataFolder: string;
	/** Drops what is kept in memory of a workspace. */
	readonly forget: (workspaceId: string) => void;
}

export function createWorkspaceDeletions(options: WorkspaceDeletionsOptions): WorkspaceDeletions {
	const { repository } = options;
	/** Deletions in progress: who asks again meanwhile waits for the same one. */
	const inProgress = new Map<string, Promise<void>>();

	function deleteOnce(id: string, start: () => Promise<void>): Promise<void> {
		const deletion = inProgress.get(id) ?? start().finally(() => void inProgress.delete(id));
		inProgress.set(id, deletion);
		return deletion;
	}

	async function deleteAll(id: string, author: WorkspaceAuthor): Promise<void> {
		// A deletion that failed half-way goes on.
		if (!(await repository.listDeleted()).includes(id)) await closeAndMark(options, id, author);
		await finishDeletion(options, id);
	}

	return {
		delete: (id, author) => deleteOnce(id, () => deleteAll(id, author)),
		async finishAll(onError) {
			for (const id of await repository.listDeleted())
				await deleteOnce(id, () => finishDeletion(options, id)).catch(onError);
		},
	};
}

async function closeAndMark(
	{ workspaces, repository, bus }: WorkspaceDeletionsOptions,
	id: string,
	author: WorkspaceAuthor,
): Promise<void> {
	const workspace = await workspaces.obtain(id);
	const isUnavailable = workspaces.findUnavailable(id) !== undefined;
	if (workspace === undefined && !isUnavailable) throw workspaceNotFound();
	if (id === author.workspaceId) throw countWorkspaces(workspaces) === 1 ? lastWorkspace() : workspaceInUse();
	if (workspace !== undefined && !(await closeIfIdle(workspace))) throw runsInFlight();
	try {
		if (workspace !== undefined && (await isBusyElsewhere(workspace, bus))) throw runsInFlight();
		await markDeleted(repository, id, author);
	} catch (error) {
		workspace?.runs.reopen();
		throw error;
	}
}

/** Requests that reach another instance after it was asked end with an error. */
async function isBusyElsewhere(
	{ id, store: { claims, runs } }: Workspace,
	bus: WorkspaceDeletionsOptions["bus"],
): Promise<boolean> {
	if (!claims.isShared) return false;
	const running = await runs.list({ status: "running", limit: 1 });
	return running.length > 0 || hasRequestsInFlight(bus, id);
}

async function markDeleted(
	repository: WorkspaceRepository,
	id: string,
	{ workspaceId, ...author }: WorkspaceAuthor,
): Promise<void> {
	const deleted = { id, deletedAt: clock.now(), recorderId: workspaceId };
	const isMarked = await repository.markDeleted(deleted, ({ name }, isRecorderLeft) => {
		if (!isRecorderLeft) throw lastWorkspace();
		return { ...author, action: "workspace.deleted", target: id, details: { name } };
	});
	if (!isMarked) throw workspaceNotFound();
}

async function finishDeletion(
	{ workspaces, repository, dataFolder, forget }: WorkspaceDeletionsOptions,
	id: string,
): Promise<void> {
	try {
		await workspaces.delete(id);
	} catch (error) {
		throw error instanceof StorageError ? deletionUnfinished(error) : error;
	} finally {
		forget(id);
	}
	await purgeWorkspace(repository, dataFolder, id);
}
