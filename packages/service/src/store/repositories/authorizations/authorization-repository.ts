import type { Kysely } from "kysely";
import type { AuditEntry } from "../../../audit/audit-record";
import type { AuthorizationRepository } from "../../../authorizations/authorization-repository";
import type {
	AuthorizationMember,
	NewCode,
	StoredAuthorization,
} from "../../../authorizations/stored-authorizations";
import type { PageRequest } from "../../../pagination";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";
import { recordDeploymentAudit } from "../audit-repository";
import { NO_LIMIT } from "../no-limit";
import { findMember } from "../people/member-rows";
import { findAuthorization, toStoredAuthorization } from "./authorization-rows";
import { exchangeCode, exchangeRefresh } from "./exchange-secret";

type Connection = Kysely<DeploymentTables>;

/** Time for which a code is kept after its end, so that its second use is noticed. */
const USED_CODE_TTL_MS = 24 * 60 * 60 * 1000;

/** Authorizations of the deployment, in its tables. */
export const createAuthorizationRepository = ({
	read,
	write,
}: Queries<DeploymentTables>): AuthorizationRepository => ({
	insert: (authorization, code, audit, max) =>
		write.transaction().execute(async (transaction) => {
			await insertAuthorization(transaction, authorization, code);
			await deleteOldest(transaction, authorization, max);
			await recordDeploymentAudit(transaction, authorization.workspace_id, audit);
		}),
	exchangeCode: (codeHash, now, decide) =>
		write.transaction().execute((transaction) => exchangeCode(transaction, codeHash, now, decide)),
	exchangeRefresh: (tokenHash, now, decide) =>
		write.transaction().execute((transaction) => exchangeRefresh(transaction, tokenHash, now, decide)),
	async findByAccessToken(tokenHash, now) {
		const token = await read
			.selectFrom("authorization_tokens")
			.select("authorization_id")
			.where("token_hash", "=", tokenHash)
			.where("kind", "=", "access")
			.where("expires_at", ">", now)
			.executeTakeFirst();
		return token && findActive(read, token.authorization_id);
	},
	async findByToken(tokenHash) {
		const token = await read
			.selectFrom("authorization_tokens")
			.select("authorization_id")
			.where("token_hash", "=", tokenHash)
			.executeTakeFirst();
		return token && findAuthorization(read, token.authorization_id);
	},
	findMember: (id) => findActive(read, id),
	async find(workspaceId, id) {
		const found = await findAuthorization(read, id);
		return found?.workspace_id === workspaceId ? found : undefined;
	},
	async listLive(ids) {
		const rows = await read.selectFrom("authorizations").select("id").where("id", "in", ids).execute();
		return rows.map(({ id }) => id);
	},
	async list(workspaceId, userId, page) {
		const rows = await selectPage(read, page)
			.where("workspace_id", "=", workspaceId)
			.where("user_id", "=", userId)
			.execute();
		return rows.map(toStoredAuthorization);
	},
	async touch(id, now) {
		await write.updateTable("authorizations").set({ last_used_at: now }).where("id", "=", id).execute();
	},
	delete: (workspaceId, id, audit) =>
		write
			.transaction()
			.execute((transaction) => deleteAuthorization(transaction, { workspaceId, id, audit })),
	deleteExpired: (now) => write.transaction().execute((transaction) => deleteExpired(transaction, now)),
});

async function insertAuthorization(
	transaction: Connection,
	{ scopes, ...authorization }: StoredAuthorization,
	{ codeHash, ...code }: NewCode,
): Promise<void> {
	await transaction
		.insertInto("authorizations")
		.values({ ...authorization, scopes: JSON.stringify(scopes) })
		.execute();
	await transaction
		.insertInto("authorization_codes")
		.values({ ...code, code_hash: codeHash, authorization_id: authorization.id, used_at: null })
		.execute();
}

/** Page of those that are in use: a code that was not exchanged gives nobody access. */
const selectPage = (read: Connection, { limit, after }: PageRequest) =>
	read
		.selectFrom("authorizations")
		.selectAll()
		.where("id", "in", (tokens) => tokens.selectFrom("authorization_tokens").select("authorization_id"))
		.$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
		.orderBy("id", "desc")
		.limit(limit + 1);

async function findActive(read: Connection, id: string): Promise<AuthorizationMember | undefined> {
	const authorization = await findAuthorization(read, id);
	const member = authorization && (await findMember(read, authorization.workspace_id, authorization.user_id));
	return authorization !== undefined && member?.status === "active" ? { authorization, member } : undefined;
}

async function deleteAuthorization(
	transaction: Connection,
	{
		workspaceId,
		id,
		audit,
	}: { readonly workspaceId: string; readonly id: string; readonly audit: AuditEntry },
): Promise<boolean> {
	const { numDeletedRows } = await transaction
		.deleteFrom("authorizations")
		.where("id", "=", id)
		.where("workspace_id", "=", workspaceId)
		.executeTakeFirst();
	if (numDeletedRows === 0n) return false;
	await recordDeploymentAudit(transaction, workspaceId, audit);
	return true;
}

async function deleteOldest(
	transaction: Connection,
	{ workspace_id, user_id }: Pick<StoredAuthorization, "workspace_id" | "user_id">,
	max: number,
): Promise<void> {
	await transaction
		.deleteFrom("authorizations")
		.where("id", "in", (query) =>
			query
				.selectFrom("authorizations")
				.select("id")
				.where("workspace_id", "=", workspace_id)
				.where("user_id", "=", user_id)
				.orderBy("id", "desc")
				.limit(NO_LIMIT)
				.offset(max),
		)
		.execute();
}

async function deleteExpired(transaction: Connection, now: number): Promise<void> {
	await transaction
		.deleteFrom("authorization_codes")
		.where("expires_at", "<=", now - USED_CODE_TTL_MS)
		.execute();
	await transaction.deleteFrom("authorization_tokens").where("expires_at", "<=", now).execute();
	await transaction
		.deleteFrom("authorizations")
		.where("id", "not in", (codes) => codes.selectFrom("authorization_codes").select("authorization_id"))
		.where("id", "not in", (tokens) => tokens.selectFrom("authorization_tokens").select("authorization_id"))
		.execute();
}
