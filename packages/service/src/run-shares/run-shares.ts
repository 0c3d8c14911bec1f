import type { CreatedRunShare, RunShare, RunShareCreate, RunShareField } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { readAuthor } from "../audit/audit-author";
import type { AuditEntry } from "../audit/audit-record";
import { createSecret, hashSecret } from "../auth/secrets";
import type { PageRequest } from "../pagination";
import type { RequestScope } from "../request-scope";
import type { StoredRun } from "../runs/stored-run";
import type { RunShareRepository, StoredRunShare } from "./run-share-repository";
import { fieldsNotVisible, runNotShareable, shareNotFound, tooManyShares } from "./share-errors";
import { listVisibleFields, SHARE_FIELDS } from "./share-fields";
import { DEFAULT_SHARE_HOURS, MAX_SHARES_PER_RUN } from "./share-limits";

const TOKEN_PREFIX = "sh";
const HOUR_MS = 60 * 60 * 1000;

/** Checks whether a text can be the token of a link. */
export const isShareToken = (text: string): boolean => /^sh_[\w-]{43}$/.test(text);

/** Links to runs of the workspace of one request. */
export interface RunShares {
	/**
	 * Creates a link to a run that the caller may see.
	 *
	 * @param origin - of the link's address.
	 * @throws DomainError `run_not_ended`, `too_many_shares`; `missing_scope` for fields that the caller may not see.
	 */
	create(id: string, run: StoredRun, request: RunShareCreate, origin: string): Promise<CreatedRunShare>;
	exists(id: string): Promise<boolean>;
	/** Lists valid links of the caller, or of all for admins; one more than `limit`, where there are more. */
	list(page: PageRequest & { readonly runId?: string | undefined }): Promise<readonly RunShare[]>;
	/** @throws DomainError `share_not_found`, also for a link of somebody else, unless an admin revokes it. */
	revoke(id: string): Promise<void>;
}

export function createRunShares(scope: RequestScope, repository: RunShareRepository): RunShares {
	const { caller, workspace } = scope;
	const isAdmin = caller.scopes.includes("keys:write");
	return {
		async create(id, run, { fields: chosen, expires_in_hours = DEFAULT_SHARE_HOURS }, origin) {
			if (run.status === "running" || run.status === "paused") throw runNotShareable();
			const fields = listFields(scope, run, chosen);
			const token = createSecret(TOKEN_PREFIX);
			const now = clock.now();
			const share: StoredRunShare = {
				...{ id, workspace_id: workspace.id, run_id: run.id, fields, created_by: caller.id, views: 0 },
				...{ created_at: now, expires_at: now + expires_in_hours * HOUR_MS },
			};
			await repository.insert(
				{ ...share, tokenHash: hashSecret(token) },
				{
					...readAuthor(scope),
					action: "run_share.created",
					target: id,
					details: { run_id: run.id, fields: [...fields], expires_in_hours },
				},
				(count) => {
					if (count >= MAX_SHARES_PER_RUN) throw tooManyShares();
				},
			);
			return { ...toRunShare(share), link: toShareAddress(origin, token), token };
		},
		exists: async (id) => (await repository.find(workspace.id, id)) !== undefined,
		async list(page) {
			const createdBy = isAdmin ? undefined : caller.id;
			for (;;) {
				const shares = await repository.list(workspace.id, { ...page, createdBy, now: clock.now() });
				const deleted = await listDeletedRuns(scope, shares);
				if (deleted.length === 0) return shares.map(toRunShare);
				await repository.deleteOfRuns(workspace.id, deleted);
			}
		},
		async revoke(id) {
			const share = await repository.find(workspace.id, id);
			if (share === undefined || !(isAdmin || share.created_by === caller.id)) throw shareNotFound();
			const audit: AuditEntry = {
				...readAuthor(scope),
				action: "run_share.revoked",
				target: id,
				details: { run_id: share.run_id },
			};
			if (!(await repository.delete(workspace.id, id, audit))) throw shareNotFound();
		},
	};
}

/** Fields in their order, each once. @throws DomainError `missing_scope` */
function listFields(
	{ caller }: RequestScope,
	run: StoredRun,
	chosen: readonly RunShareField[],
): readonly RunShareField[] {
	const fields = SHARE_FIELDS.filter((field) => chosen.includes(field));
	const visible = listVisibleFields(caller, run, fields);
	const hidden = fields.filter((field) => !visible.includes(field));
	if (hidden.length > 0) throw fieldsNotVisible(hidden);
	return visible;
}

/** Lists the runs of some links that are not there any more: runs are in the files of their workspaces, links are not. */
async function listDeletedRuns(
	{ workspace }: RequestScope,
	shares: readonly StoredRunShare[],
): Promise<readonly string[]> {
	const runIds = [...new Set(shares.map(({ run_id }) => run_id))];
	const found = await Promise.all(runIds.map((id) => workspace.store.runs.find(id)));
	return runIds.filter((_, index) => found[index] === undefined);
}

/** Address of a link. The token is in the fragment, which browsers send to no server. @param origin - `https://kb.example` */
const toShareAddress = (origin: string, token: string): string => `${origin}/#shared=${token}`;

const toRunShare = ({ workspace_id: _, ...share }: StoredRunShare): RunShare => ({
	...share,
	created_at: new Date(share.created_at).toISOString(),
	expires_at: new Date(share.expires_at).toISOString(),
});
