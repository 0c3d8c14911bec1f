import type { Kysely } from "kysely";
import type { AuditEntry } from "../../../audit/audit-record";
import type {
	DeletedWorkspace,
	StoredWorkspace,
	WorkspaceAudit,
	WorkspaceRepository,
} from "../../../workspaces/workspace-repository";
import type { Queries } from "../../database";
import type { DeploymentTables, WorkspaceRow } from "../../deployment-tables";
import { recordDeploymentAudit } from "../audit-repository";
import { toClientKeyRow } from "./client-key-repository";
import { toClientRow } from "./client-repository";

type DeploymentQueries = Kysely<DeploymentTables>;

/**
 * Workspaces in the tables of the deployment.
 *
 * @param eraseLog - called once a workspace is deleted, for a store whose log would keep what was deleted.
 */
export const createWorkspaceRepository = (
	{ read, write }: Queries<DeploymentTables>,
	eraseLog: () => Promise<void> = async () => undefined,
): WorkspaceRepository => ({
	find: (id) => findWorkspace(read, id),
	async list({ limit, after = "" }) {
		const rows = await selectLive(read)
			.where("id", ">", after)
			.orderBy("id")
			.limit(limit + 1)
			.execute();
		return rows.map(toStoredWorkspace);
	},
	async listAll() {
		const rows = await selectLive(read).orderBy("id").execute();
		return rows.map(toStoredWorkspace);
	},
	isNameTaken: (name) => isNameTaken(read, name),
	insert: ({ workspace, client, clientKey, audits }, check) =>
		write.transaction().execute(async (transaction) => {
			const { id, name, created_at } = workspace;
			check?.(await isNameTaken(transaction, name));
			const row = { id, name, created_at: Date.parse(created_at), deleting_at: null };
			await transaction.insertInto("workspaces").values(row).execute();
			await transaction.insertInto("clients").values(toClientRow(id, client)).execute();
			await transaction.insertInto("client_keys").values(toClientKeyRow(id, clientKey)).execute();
			await recordAll(transaction, audits);
		}),
	rename: (id, name, decide) =>
		write.transaction().execute(async (transaction) => {
			const workspace = await findWorkspace(transaction, id);
			if (workspace === undefined) return undefined;
			const audits = decide(workspace, await isNameTaken(transaction, name, id));
			await transaction.updateTable("workspaces").set({ name }).where("id", "=", id).execute();
			await recordAll(transaction, audits);
			return { ...workspace, name };
		}),
	markDeleted: (deleted, decide) =>
		write.transaction().execute((transaction) => markDeleted(transaction, deleted, decide)),
	async listDeleted() {
		const rows = await read
			.selectFrom("workspaces")
			.select("id")
			.where("deleting_at", "is not", null)
			.execute();
		return rows.map(({ id }) => id);
	},
	async purge(id) {
		await write.deleteFrom("workspaces").where("id", "=", id).where("deleting_at", "is not", null).execute();
		await eraseLog();
	},
});

async function markDeleted(
	transaction: DeploymentQueries,
	{ id, deletedAt, recorderId }: DeletedWorkspace,
	decide: (workspace: StoredWorkspace, isRecorderLeft: boolean) => AuditEntry,
): Promise<boolean> {
	const workspace = await findWorkspace(transaction, id);
	if (workspace === undefined) return false;
	await transaction.updateTable("workspaces").set({ deleting_at: deletedAt }).where("id", "=", id).execute();
	const audit = decide(workspace, (await findWorkspace(transaction, recorderId)) !== undefined);
	await transaction.deleteFrom("clients").where("workspace_id", "=", id).execute();
	await transaction.deleteFrom("client_keys").where("workspace_id", "=", id).execute();
	await transaction.deleteFrom("run_shares").where("workspace_id", "=", id).execute();
	await deletePeople(transaction, id);
	await transaction
		.updateTable("audit")
		.set({ workspace_id: recorderId })
		.where("workspace_id", "=", id)
		.where("action", "in", ["workspace.created", "workspace.renamed", "workspace.deleted"])
		.where("target", "!=", id)
		.execute();
	await recordDeploymentAudit(transaction, recorderId, audit);
	return true;
}

/** Deletes the members of a workspace with their sessions, links to it, and users who are in no other one. */
async function deletePeople(transaction: DeploymentQueries, workspaceId: string): Promise<void> {
	await transaction.deleteFrom("sign_in_links").where("workspace_id", "=", workspaceId).execute();
	await transaction.deleteFrom("members").where("workspace_id", "=", workspaceId).execute();
	await transaction
		.deleteFrom("users")
		.where("id", "not in", (query) => query.selectFrom("members").select("user_id"))
		.execute();
}

const selectLive = (queries: DeploymentQueries) =>
	queries.selectFrom("workspaces").selectAll().where("deleting_at", "is", null);

async function findWorkspace(queries: DeploymentQueries, id: string): Promise<StoredWorkspace | undefined> {
	const row = await selectLive(queries).where("id", "=", id).executeTakeFirst();
	return row && toStoredWorkspace(row);
}

/** @param exceptId - a workspace that may have the name itself. */
async function isNameTaken(queries: DeploymentQueries, name: string, exceptId = ""): Promise<boolean> {
	const row = await selectLive(queries)
		.where("name", "=", name)
		.where("id", "!=", exceptId)
		.executeTakeFirst();
	return row !== undefined;
}

async function recordAll(transaction: DeploymentQueries, audits: readonly WorkspaceAudit[]): Promise<void> {
	for (const { workspaceId, entry } of audits) await recordDeploymentAudit(transaction, workspaceId, entry);
}

const toStoredWorkspace = ({ id, name, created_at }: WorkspaceRow): StoredWorkspace => ({
	id,
	name,
	created_at: new Date(created_at).toISOString(),
});
