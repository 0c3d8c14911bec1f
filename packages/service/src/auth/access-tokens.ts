import type { Scope } from "@stemma/client";
import type { DeploymentDatabase } from "../store/deployment-database";
import type { ClientCaller } from "./caller";
import { createSecret, hashSecret, isSecret } from "./secrets";

/** How long an access token is good for. */
export const ACCESS_TOKEN_SECONDS = 900;

/** What a client needs for a token. */
export interface TokenRequest {
	readonly clientId: string;
	readonly clientSecret: string;
	/** Default: all that the client has. */
	readonly scopes?: readonly Scope[] | undefined;
	/** Of `scopes`, those that the client has will do, as long as it has one. Default false: it must have them all. */
	readonly mayBeFewer?: boolean;
}

export type TokenGrant =
	| { readonly kind: "token"; readonly accessToken: string; readonly scopes: readonly Scope[] }
	/** No such client, or not its secret: nobody learns which. */
	| { readonly kind: "invalid_client" }
	/** A scope that the client does not have. */
	| { readonly kind: "invalid_scope"; readonly scope: Scope };

/** Tokens that stand for a client; they are on the disk, so that a restart ends none. */
export interface AccessTokens {
	grant(request: TokenRequest): Promise<TokenGrant>;
	/** Nothing for a token that is unknown, or has ended. */
	findCaller(token: string): Promise<ClientCaller | undefined>;
	/** Forgets those that have ended. */
	sweep(): Promise<void>;
}

export function createAccessTokens({ read, write }: DeploymentDatabase): AccessTokens {
	return {
		async grant({ clientId, clientSecret, scopes: wanted, mayBeFewer = false }) {
			const client = await read
				.selectFrom("clients")
				.select(["scopes", "secret_hash"])
				.where("id", "=", clientId)
				.executeTakeFirst();
			if (!isSecret(clientSecret, client?.secret_hash) || client === undefined)
				return { kind: "invalid_client" };
			const owned = JSON.parse(client.scopes) as Scope[];
			const scopes = wanted?.filter((scope) => owned.includes(scope));
			const lacking = wanted?.find((scope) => !owned.includes(scope));
			if (lacking !== undefined && !(mayBeFewer && scopes?.length))
				return { kind: "invalid_scope", scope: lacking };
			const accessToken = createSecret("tok");
			const granted = scopes ?? owned;
			// The secret may have been rotated meanwhile: then this inserts nothing.
			const { numInsertedOrUpdatedRows } = await write
				.insertInto("access_tokens")
				.columns(["token_hash", "client_id", "scopes", "expires_at"])
				.expression((query) =>
					query
						.selectFrom("clients")
						.select(({ val }) => [
							val(hashSecret(accessToken)).as("token_hash"),
							"id as client_id",
							val(JSON.stringify(granted)).as("scopes"),
							val(Date.now() + ACCESS_TOKEN_SECONDS * 1000).as("expires_at"),
						])
						.where("id", "=", clientId)
						.where("secret_hash", "=", client.secret_hash),
				)
				.executeTakeFirst();
			if (numInsertedOrUpdatedRows !== 1n) return { kind: "invalid_client" };
			return { kind: "token", accessToken, scopes: granted };
		},
		async findCaller(token) {
			const row = await read
				.selectFrom("access_tokens")
				.innerJoin("clients", "clients.id", "access_tokens.client_id")
				.select(["clients.id", "clients.workspace_id", "access_tokens.scopes", "access_tokens.expires_at"])
				.where("token_hash", "=", hashSecret(token))
				.executeTakeFirst();
			if (row === undefined || row.expires_at <= Date.now()) return undefined;
			const scopes = JSON.parse(row.scopes) as Scope[];
			return { kind: "client", id: row.id, workspaceId: row.workspace_id, scopes };
		},
		async sweep() {
			await write.deleteFrom("access_tokens").where("expires_at", "<=", Date.now()).execute();
		},
	};
}
