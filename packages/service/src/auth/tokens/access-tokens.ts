import type { Scope } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { createWorkspaceQueue } from "../../fairness/workspace-queue";
import type { DeploymentStore } from "../../store/deployment-store";
import { MAX_LIVE_TOKENS, type TokenLimits } from "../budgets/token-limits";
import type { ClientCaller } from "../caller";
import { createSecret, hashSecret, verifySecret } from "../secrets";

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
	/** Finds the client of an id and its secret, with all of its scopes; `undefined` where one of them is wrong. */
	findClient(clientId: string, clientSecret: string): Promise<ClientCaller | undefined>;
	/** Checks that a client has not been deleted. */
	hasClient(clientId: string): Promise<boolean>;
	/** Forgets those that have ended. */
	sweep(): Promise<void>;
}

/** Requests for tokens of one workspace that wait for their turn; each is written to the disk. */
const MAX_WAITING_TOKENS = 100;

export function createAccessTokens(
	{ accessTokens, clients }: Pick<DeploymentStore, "accessTokens" | "clients">,
	limits: TokenLimits,
): AccessTokens {
	const queue = createWorkspaceQueue({
		concurrency: 1,
		maxWaiting: MAX_WAITING_TOKENS,
		name: "requests for tokens",
	});
	return {
		async grant({ clientId, clientSecret, scopes: requested, allowSubset = false }) {
			const client = await clients.findCredentials(clientId);
			if (!verifySecret(clientSecret, client?.secretHash) || client === undefined)
				return { kind: "invalid_client" };
			const { workspaceId, scopes: owned, secretHash } = client;
			const scopes = requested?.filter((scope) => owned.includes(scope));
			const missing = requested?.find((scope) => !owned.includes(scope));
			if (missing !== undefined && !(allowSubset && scopes?.length))
				return { kind: "invalid_scope", scope: missing };
			const retryAfterSeconds = limits.countToken({ id: clientId, workspaceId });
			if (retryAfterSeconds > 0) return { kind: "rate_limited", retryAfterSeconds };
			const accessToken = createSecret("tok");
			const granted = scopes ?? owned;
			const isInserted = await queue.run(workspaceId, () => {
				const expiresAt = clock.now() + ACCESS_TOKEN_TTL_SECONDS * 1000;
				const token = { tokenHash: hashSecret(accessToken), clientId, scopes: granted, expiresAt };
				return accessTokens.insert(token, secretHash, MAX_LIVE_TOKENS);
			});
			return isInserted ? { kind: "token", accessToken, scopes: granted } : { kind: "invalid_client" };
		},
		async findCaller(token) {
			const stored = await accessTokens.find(hashSecret(token));
			if (stored === undefined || stored.expiresAt <= clock.now()) return undefined;
			const { clientId: id, workspaceId, scopes } = stored;
			return { kind: "client", id, workspaceId, scopes };
		},
		async findClient(id, clientSecret) {
			const client = await clients.findCredentials(id);
			if (!verifySecret(clientSecret, client?.secretHash) || client === undefined) return undefined;
			const { workspaceId, scopes } = client;
			return { kind: "client", id, workspaceId, scopes };
		},
		hasClient: async (clientId) => (await clients.findCredentials(clientId)) !== undefined,
		sweep: () => accessTokens.deleteExpired(clock.now()),
	};
}
