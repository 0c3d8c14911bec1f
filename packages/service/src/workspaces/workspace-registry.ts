import type { CreatedWorkspace, Workspace } from "@stemma/client";
import { OPERATOR } from "../audit/audit-author";
import type { AuditEntry } from "../audit/audit-record";
import { WORKSPACE_SCOPES } from "../auth/scopes";
import type { PageRequest } from "../pagination";
import { createWorkspace, createWorkspaceCredentials } from "./create-workspace";
import type { WorkspaceAuthor } from "./delete-workspace";
import { createWorkspaceDeletions, type WorkspaceDeletionsOptions } from "./workspace-deletions";
import { nameTaken, workspaceNotFound } from "./workspace-errors";
import type { StoredWorkspace, WorkspaceAudit } from "./workspace-repository";
import type { Workspaces } from "./workspaces";

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

export interface WorkspaceRegistryOptions extends WorkspaceDeletionsOptions {
	/** Pages that may use the client key of a new workspace. */
	readonly origins: readonly string[];
}

export function createWorkspaceRegistry({
	origins,
	...options
}: WorkspaceRegistryOptions): WorkspaceRegistry {
	const { repository, workspaces } = options;
	const deletions = createWorkspaceDeletions(options);

	async function describe(stored: StoredWorkspace): Promise<Workspace> {
		const store = (await workspaces.obtain(stored.id))?.store;
		const described = toWorkspace(stored, workspaces);
		return store === undefined ? described : { ...described, storage_bytes: await store.storage.readBytes() };
	}

	async function find(id: string): Promise<Workspace | undefined> {
		const stored = await repository.find(id);
		return stored && describe(stored);
	}

	return {
		find,
		async create({ id, name }, author) {
			assertNameFree(await repository.isNameTaken(name));
			const credentials = { ...createWorkspaceCredentials(), workspace_id: id };
			const added = { name, credentials, origins, scopes: WORKSPACE_SCOPES };
			const audit = toAudit(author, { action: "workspace.created", target: id, details: { name } });
			const created = await createWorkspace(repository, workspaces, added, {
				audit,
				check: assertNameFree,
			}).catch(async (error: unknown) => {
				if ((await find(id)) === undefined) await workspaces.delete(id);
				throw error;
			});
			const { workspace_id: _, ...secrets } = credentials;
			return { ...(await describe(created)), ...secrets };
		},
		async list(page) {
			return Promise.all((await repository.list(page)).map(describe));
		},
		async rename(id, name, author) {
			const renamed = await repository.rename(id, name, (workspace, isNameTaken) => {
				if (workspace.name === name) return [];
				assertNameFree(isNameTaken);
				return listRenameAudits(workspace, name, author);
			});
			if (renamed === undefined) throw workspaceNotFound();
			return describe(renamed);
		},
		delete: deletions.delete,
		finishDeletions: deletions.finishAll,
	};
}

function assertNameFree(isNameTaken: boolean): void {
	if (isNameTaken) throw nameTaken();
}

/** Entry in the audit log of the workspace whose client has made the change. */
const toAudit = (
	{ workspaceId, ...author }: WorkspaceAuthor,
	entry: Pick<AuditEntry, "action" | "target" | "details">,
): WorkspaceAudit => ({ workspaceId, entry: { ...author, ...entry } });

function listRenameAudits(
	{ id, name: before }: StoredWorkspace,
	name: string,
	author: WorkspaceAuthor,
): readonly WorkspaceAudit[] {
	const entry = { action: "workspace.renamed", target: id, details: { name, before } } as const;
	const audit = toAudit(author, entry);
	// Its own clients see that it was renamed, and not by whom of another workspace.
	return author.workspaceId === id
		? [audit]
		: [audit, { workspaceId: id, entry: { ...entry, actor: OPERATOR } }];
}

function toWorkspace(stored: StoredWorkspace, workspaces: Workspaces): Workspace {
	const problem = workspaces.findUnavailable(stored.id)?.problem;
	return {
		...stored,
		status: problem === undefined ? "available" : "unavailable",
		...(problem !== undefined && { problem }),
	};
}
