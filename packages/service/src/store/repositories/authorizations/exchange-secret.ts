import type { Kysely } from "kysely";
import type {
	DecideCode,
	DecideRefresh,
	ExchangeOutcome,
} from "../../../authorizations/authorization-repository";
import type { NewTokens, StoredAuthorization } from "../../../authorizations/stored-authorizations";
import type { DeploymentTables } from "../../deployment-tables";
import { recordDeploymentAudit } from "../audit-repository";
import { findMember } from "../people/member-rows";
import { findAuthorization } from "./authorization-rows";

type Transaction = Kysely<DeploymentTables>;

const UNKNOWN: ExchangeOutcome = { kind: "unknown" };

/** Exchanges a code for tokens, in the transaction that makes it useless. */
export async function exchangeCode(
	transaction: Transaction,
	codeHash: Uint8Array,
	now: number,
	decide: DecideCode,
): Promise<ExchangeOutcome> {
	const code = await transaction
		.selectFrom("authorization_codes")
		.selectAll()
		.where("code_hash", "=", codeHash)
		.executeTakeFirst();
	const authorization = code && (await findAuthorization(transaction, code.authorization_id));
	if (code === undefined || authorization === undefined) return UNKNOWN;
	if (code.used_at !== null) return endReused(transaction, authorization);
	if (code.expires_at <= now) return UNKNOWN;
	return finish(transaction, authorization, async () => {
		const tokens = decide(code, authorization);
		await transaction
			.updateTable("authorization_codes")
			.set({ used_at: now })
			.where("code_hash", "=", codeHash)
			.execute();
		return tokens;
	});
}

/** Replaces a refresh token, and the access tokens that came with it. */
export async function exchangeRefresh(
	transaction: Transaction,
	tokenHash: Uint8Array,
	now: number,
	decide: DecideRefresh,
): Promise<ExchangeOutcome> {
	const token = await transaction
		.selectFrom("authorization_tokens")
		.selectAll()
		.where("token_hash", "=", tokenHash)
		.where("kind", "=", "refresh")
		.executeTakeFirst();
	const authorization = token && (await findAuthorization(transaction, token.authorization_id));
	if (token === undefined || authorization === undefined) return UNKNOWN;
	if (token.replaced_at !== null) return endReused(transaction, authorization);
	if (token.expires_at <= now) return UNKNOWN;
	return finish(transaction, authorization, async () => {
		const tokens = decide(authorization);
		await transaction
			.updateTable("authorization_tokens")
			.set({ replaced_at: now })
			.where("token_hash", "=", tokenHash)
			.execute();
		await transaction
			.deleteFrom("authorization_tokens")
			.where("authorization_id", "=", authorization.id)
			.where("kind", "=", "access")
			.execute();
		return tokens;
	});
}

async function finish(
	transaction: Transaction,
	authorization: StoredAuthorization,
	makeTokens: () => Promise<NewTokens>,
): Promise<ExchangeOutcome> {
	const member = await findMember(transaction, authorization.workspace_id, authorization.user_id);
	if (member?.status !== "active") return UNKNOWN;
	const tokens = await makeTokens();
	for (const kind of ["access", "refresh"] as const)
		await transaction
			.insertInto("authorization_tokens")
			.values({
				...{ token_hash: tokens[kind].tokenHash, authorization_id: authorization.id, kind },
				...{ expires_at: tokens[kind].expiresAt, replaced_at: null },
			})
			.execute();
	return { kind: "done", authorization, member };
}

/** Ends an authorization of which a secret was used twice, as one of the two is a thief's. */
async function endReused(
	transaction: Transaction,
	authorization: StoredAuthorization,
): Promise<ExchangeOutcome> {
	const { id, workspace_id, user_id: actor } = authorization;
	await transaction.deleteFrom("authorizations").where("id", "=", id).execute();
	const details = { reason: "reused" };
	await recordDeploymentAudit(transaction, workspace_id, {
		...{ actor, action: "authorization.ended", target: id, details },
	});
	return { kind: "reused", authorization };
}
