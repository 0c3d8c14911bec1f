import type { CreatedWorkspace, Workspace } from "@stemma/client";
import type { Kysely } from "kysely";
import { OPERATOR } from "../audit/audit-author";
import type { AuditEntry } from "../audit/audit-record";
import { WORKSPACE_SCOPES } from "../auth/scopes";
import type { PageRequest } from "../pagination";
import type { DeploymentDatabase } from "../store/deployment-database";
import type { DeploymentTables, WorkspaceRow } from "../store/deployment-tables";
import { recordDeploymentAudit } from "../store/sqlite/audit-repository";
import { StorageError } from "../store/storage-error";
import { createWorkspace, createWorkspaceCredentials } from "./create-workspace";
import {
	isMarkedDeleted,
	listMarkedDeleted,
	markDeleted,
	purgeWorkspace,
	type WorkspaceAuthor,
} from "./delete-workspace";
import { closeIfIdle } from "./open-workspace";
import {
	deletionUnfinished,
	lastWorkspace,
	nameTaken,
	runsInFlight,
	workspaceInUse,
	workspaceNotFound,
} from "./workspace-errors";
import { countWorkspaces, type Workspaces } from "./workspaces";

/** The workspaces of a deployment as objects: names and existence, and nothing of what they hold. */
export interface WorkspaceRegistry {
	/** @throws DomainError `name_taken` */
	create(workspace: Pick<Workspace, "id" | "name">, author: WorkspaceAuthor): Promise<CreatedWorkspace>;
	/** Oldest first; one more than `limit`, where there are more. */
	list(page: PageRequest): Promise<readonly Workspace[]>;
	find(id: string): Promise<Workspace | undefined>;
	/** @throws DomainError `workspace_not_found`, `name_taken` */
	rename(id: string, name: string, author: WorkspaceAuthor): Promise<Workspace>;
	/**
	 * @throws DomainError `workspace_not_found`, `last_workspace`, `workspace_in_use`, `runs_in_flight`; `storage_unavailable`
	 * where it is deleted and its files cannot be removed yet.
	 */
	delete(id: string, author: WorkspaceAuthor): Promise<void>;
	/** Tries again to finish deletions whose files could not be removed. Reports each that fails. */
	finishDeletions(onError: (error: unknown) => void): Promise<void>;
}

export interface WorkspaceRegistryOptions {
	readonly deployment: DeploymentDatabase;
	readonly workspaces: Workspaces;
	readonly dataFolder: string;
	/** Pages that may use the client key of a new workspace. */
	readonly origins: readonly string[];
	/** Drops what is kept in memory of a workspace. */
	readonly forget: (workspaceId: string) => void;
}

export function createWorkspaceRegistry({
	deployment,
	workspaces,
	dataFolder,
	origins,
	forget,
}: WorkspaceRegistryOptions): WorkspaceRegistry {
	const { read, write } = deployment;
	/** Deletions in progress: who asks again meanwhile waits for the same one. */
	const deleting = new Map<string, Promise<void>>();

	async function describe(row: WorkspaceRow): Promise<Workspace> {
		const store = workspaces.find(row.id)?.store;
		const described = toWorkspace(row, workspaces);
		return store === undefined ? described : { ...described, storage_bytes: await store.storage.readBytes() };
	}

	async function find(id: string): Promise<Workspace | undefined> {
		const row = await selectLive(read).where("id", "=", id).executeTakeFirst();
		return row && describe(row);
	}

	async function closeAndMark(id: string, author: WorkspaceAuthor): Promise<void> {
		const workspace = workspaces.find(id);
		const isUnavailable = workspaces.findUnavailable(id) !== undefined;
		if (workspace === undefined && !isUnavailable) throw workspaceNotFound();
		if (id === author.workspaceId)
			throw countWorkspaces(workspaces) === 1 ? lastWorkspace() : workspaceInUse();
		if (workspace !== undefined && !(await closeIfIdle(workspace))) throw runsInFlight();
		try {
			await markDeleted(deployment, id, author);
		} catch (error) {
			workspace?.runs.reopen();
			throw error;
		}
	}

	async function deleteAll(id: string, author: WorkspaceAuthor): Promise<void> {
		// A deletion that failed half-way goes on.
		if (!(await isMarkedDeleted(read, id))) await closeAndMark(id, author);
		await finishDeletion(id);
	}

	async function finishDeletion(id: string): Promise<void> {
		try {
			await workspaces.delete(id);
		} catch (error) {
			throw error instanceof StorageError ? deletionUnfinished(error) : error;
		} finally {
			forget(id);
		}
		await purgeWorkspace(deployment, dataFolder, id);
	}

	function deleteOnce(id: string, start: () => Promise<void>): Promise<void> {
		const deletion = deleting.get(id) ?? start().finally(() => void deleting.delete(id));
		deleting.set(id, deletion);
		return deletion;
	}

	return {
		find,
		async create({ id, name }, author) {
			await assertNameFree(read, name);
			const credentials = { ...createWorkspaceCredentials(), workspace_id: id };
			const added = { name, credentials, origins, scopes: WORKSPACE_SCOPES };
			const created = await createWorkspace(deployment, workspaces, added, async (transaction) => {
				await assertNameFree(transaction, name);
				await putAudit(transaction, author, { action: "workspace.created", target: id, details: { name } });
			}).catch(async (error: unknown) => {
				if ((await find(id)) === undefined) await workspaces.delete(id);
				throw error;
			});
			const { workspace_id: _, ...secrets } = credentials;
			return { ...(await describe(created)), ...secrets };
		},
		async list({ limit, after = "" }) {
			const rows = await selectLive(read)
				.where("id", ">", after)
				.orderBy("id")
				.limit(limit + 1)
				.execute();
			return Promise.all(rows.map(describe));
		},
		rename: (id, name, author) =>
			write.transaction().execute(async (transaction) => {
				const row = await selectLive(transaction).where("id", "=", id).executeTakeFirst();
				if (row === undefined) throw workspaceNotFound();
				if (row.name === name) return describe(row);
				await assertNameFree(transaction, name);
				await transaction.updateTable("workspaces").set({ name }).where("id", "=", id).execute();
				const entry = {
					action: "workspace.renamed",
					target: id,
					details: { name, before: row.name },
				} as const;
				await putAudit(transaction, author, entry);
				// Its own clients see that it was renamed, and not by whom of another workspace.
				if (author.workspaceId !== id)
					await recordDeploymentAudit(transaction, id, { ...entry, actor: OPERATOR });
				return describe({ ...row, name });
			}),
		delete: (id, author) => deleteOnce(id, () => deleteAll(id, author)),
		async finishDeletions(onError) {
			for (const id of await listMarkedDeleted(read))
				await deleteOnce(id, () => finishDeletion(id)).catch(onError);
		},
	};
}

const selectLive = (database: Kysely<DeploymentTables>) =>
	database.selectFrom("workspaces").selectAll().where("deleting_at", "is", null);

async function assertNameFree(database: Kysely<DeploymentTables>, name: string): Promise<void> {
	if ((await selectLive(database).where("name", "=", name).executeTakeFirst()) !== undefined)
		throw nameTaken();
}

/** Records an entry in the audit of the workspace whose client has made the change. */
const putAudit = (
	transaction: Kysely<DeploymentTables>,
	{ workspaceId, ...author }: WorkspaceAuthor,
	entry: Pick<AuditEntry, "action" | "target" | "details">,
): Promise<void> => recordDeploymentAudit(transaction, workspaceId, { ...author, ...entry });

function toWorkspace({ id, name, created_at }: WorkspaceRow, workspaces: Workspaces): Workspace {
	const problem = workspaces.findUnavailable(id)?.problem;
	return {
		id,
		name,
		created_at: new Date(created_at).toISOString(),
		status: problem === undefined ? "available" : "unavailable",
		...(problem !== undefined && { problem }),
	};
}
