import type { Scope } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { createWorkspaceQueue } from "../fairness/workspace-queue";
import type { DeploymentDatabase } from "../store/deployment-database";
import { parseColumn } from "../store/json-column";
import type { ClientCaller } from "./caller";
import { createSecret, hashSecret, verifySecret } from "./secrets";
import { MAX_LIVE_TOKENS, type TokenLimits } from "./token-limits";

/** Lifetime of an access token, in seconds. */
export const ACCESS_TOKEN_TTL_SECONDS = 900;

/** Request of a client for an access token. */
export interface TokenRequest {
	readonly clientId: string;
	readonly clientSecret: string;
	/** Default: all that the client has. */
	readonly scopes?: readonly Scope[] | undefined;
	/**
	 * True where a subset of `scopes` is enough, as long as the client has at least one of them. Default false: it must
	 * have them all.
	 */
	readonly allowSubset?: boolean;
}

export type TokenGrant =
	| { readonly kind: "token"; readonly accessToken: string; readonly scopes: readonly Scope[] }
	/** No such client, or not its secret: nobody learns which. */
	| { readonly kind: "invalid_client" }
	/** A scope that the client does not have. */
	| { readonly kind: "invalid_scope"; readonly scope: Scope }
	/** The client, or its workspace, has had too many in the last minute. */
	| { readonly kind: "rate_limited"; readonly retryAfterSeconds: number };

/** Tokens that stand for a client; they are on the disk, so that a restart ends none. */
export interface AccessTokens {
	/** @throws DomainError `too_many_waiting` where too many requests for tokens of the workspace are waiting. */
	grant(request: TokenRequest): Promise<TokenGrant>;
	/** Finds the caller of a token; `undefined` for a token that is unknown or has expired. */
	findCaller(token: string): Promise<ClientCaller | undefined>;
	/** Forgets those that have ended. */
	sweep(): Promise<void>;
}

/** Requests for tokens of one workspace that wait for their turn; each is written to the disk. */
const MAX_WAITING_TOKENS = 100;

export function createAccessTokens(database: DeploymentDatabase, limits: TokenLimits): AccessTokens {
	const { read, write } = database;
	const queue = createWorkspaceQueue({
		concurrency: 1,
		maxWaiting: MAX_WAITING_TOKENS,
		name: "requests for tokens",
	});
	return {
		async grant({ clientId, clientSecret, scopes: requested, allowSubset = false }) {
			const client = await read
				.selectFrom("clients")
				.select(["workspace_id", "scopes", "secret_hash"])
				.where("id", "=", clientId)
				.executeTakeFirst();
			if (!verifySecret(clientSecret, client?.secret_hash) || client === undefined)
				return { kind: "invalid_client" };
			const owned = parseColumn(client.scopes);
			const scopes = requested?.filter((scope) => owned.includes(scope));
			const missing = requested?.find((scope) => !owned.includes(scope));
			if (missing !== undefined && !(allowSubset && scopes?.length))
				return { kind: "invalid_scope", scope: missing };
			const workspaceId = client.workspace_id;
			const retryAfterSeconds = limits.countToken({ id: clientId, workspaceId });
			if (retryAfterSeconds > 0) return { kind: "rate_limited", retryAfterSeconds };
			const accessToken = createSecret("tok");
			const granted = scopes ?? owned;
			const token = { accessToken, clientId, scopes: granted, secretHash: client.secret_hash };
			const isInserted = await queue.run(workspaceId, () => insertToken(database, token));
			return isInserted ? { kind: "token", accessToken, scopes: granted } : { kind: "invalid_client" };
		},
		async findCaller(token) {
			const row = await read
				.selectFrom("access_tokens")
				.innerJoin("clients", "clients.id", "access_tokens.client_id")
				.select(["clients.id", "clients.workspace_id", "access_tokens.scopes", "access_tokens.expires_at"])
				.where("token_hash", "=", hashSecret(token))
				.executeTakeFirst();
			if (row === undefined || row.expires_at <= clock.now()) return undefined;
			const scopes = parseColumn(row.scopes);
			return { kind: "client", id: row.id, workspaceId: row.workspace_id, scopes };
		},
		async sweep() {
			await write.deleteFrom("access_tokens").where("expires_at", "<=", clock.now()).execute();
		},
	};
}

interface NewToken {
	readonly accessToken: string;
	readonly clientId: string;
	readonly scopes: readonly Scope[];
	readonly secretHash: Uint8Array;
}

/** Inserts nothing where the secret was rotated meanwhile. @returns whether it did. */
async function insertToken({ read, write }: DeploymentDatabase, token: NewToken): Promise<boolean> {
	const { accessToken, clientId, scopes, secretHash } = token;
	const { numInsertedOrUpdatedRows } = await write
		.insertInto("access_tokens")
		.columns(["token_hash", "client_id", "scopes", "expires_at"])
		.expression((query) =>
			query
				.selectFrom("clients")
				.select(({ val }) => [
					val(hashSecret(accessToken)).as("token_hash"),
					"id as client_id",
					val(JSON.stringify(scopes)).as("scopes"),
					val(clock.now() + ACCESS_TOKEN_TTL_SECONDS * 1000).as("expires_at"),
				])
				.where("id", "=", clientId)
				.where("secret_hash", "=", secretHash),
		)
		.executeTakeFirst();
	if (numInsertedOrUpdatedRows !== 1n) return false;
	const { count } = await read
		.selectFrom("access_tokens")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("client_id", "=", clientId)
		.executeTakeFirstOrThrow();
	if (count > MAX_LIVE_TOKENS) await deleteOldest(write, clientId, count - MAX_LIVE_TOKENS);
	return true;
}

async function deleteOldest(
	write: DeploymentDatabase["write"],
	clientId: string,
	count: number,
): Promise<void> {
	await write
		.deleteFrom("access_tokens")
		.where("token_hash", "in", (query) =>
			query
				.selectFrom("access_tokens")
				.select("token_hash")
				.where("client_id", "=", clientId)
				.orderBy("expires_at")
				.limit(count),
		)
		.execute();
}
