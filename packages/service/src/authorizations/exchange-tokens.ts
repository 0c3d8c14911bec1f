import type { Scope } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { TokenLimits } from "../auth/budgets/token-limits";
import { createSecret, hashSecret } from "../auth/secrets";
import { ACCESS_TOKEN_TTL_SECONDS } from "../auth/tokens/access-tokens";
import { ROLE_SCOPES } from "../people/roles";
import { AuthorizationError } from "./authorization-error";
import { REFRESH_TTL_MS } from "./authorization-limits";
import type { AuthorizationRepository, ExchangeOutcome } from "./authorization-repository";
import { APP_TOKEN_PREFIX } from "./authorizations";
import { isCodeVerifier } from "./pkce";
import type { NewTokens, StoredAuthorization } from "./stored-authorizations";

/** Request of an app for tokens by a code. */
export interface CodeExchange {
	readonly clientId: string;
	readonly code: string;
	readonly redirectUri: string;
	readonly codeVerifier: string;
	/** Path of the resource, where the app names it again. */
	readonly resource: string | undefined;
}

/** Request of an app for new tokens. */
export interface RefreshExchange {
	readonly clientId: string;
	readonly refreshToken: string;
	readonly resource: string | undefined;
}

/** Tokens of an app; nothing else has them. */
export interface AppTokens {
	readonly accessToken: string;
	readonly refreshToken: string;
	/** Scopes that the person agreed to and the role has. */
	readonly scopes: readonly Scope[];
}

/** Parts of the service that give tokens to apps. */
export interface ExchangeParts {
	readonly repository: Pick<AuthorizationRepository, "exchangeCode" | "exchangeRefresh">;
	readonly limits: Pick<TokenLimits, "countAppToken">;
	/** Called where an authorization has ended because a secret was used twice. */
	readonly onReuse: (authorization: StoredAuthorization) => Promise<void>;
}

/** App that has asked for too many tokens. */
export class TokenRateError extends Error {
	constructor(readonly retryAfterSeconds: number) {
		super("This app has asked for too many tokens. Use a token until it expires.");
	}
}

/**
 * Exchanges a code for tokens, once.
 *
 * @throws AuthorizationError `invalid_grant`: the code is unknown, used or expired, or for another app, address or verifier;
 * `invalid_target`. TokenRateError.
 */
export const exchangeCode = (request: CodeExchange, parts: ExchangeParts): Promise<AppTokens> =>
	exchange(parts, (tokens) =>
		parts.repository.exchangeCode(hashSecret(request.code), clock.now(), (code, authorization) => {
			const isRight =
				authorization.client_id === request.clientId &&
				code.redirect_uri === request.redirectUri &&
				isCodeVerifier(request.codeVerifier, code.code_challenge);
			if (!isRight) throw invalidGrant();
			return tokens(authorization, request.resource);
		}),
	);

/**
 * Exchanges a refresh token for new tokens; it is no longer valid then.
 *
 * @throws AuthorizationError `invalid_grant`, `invalid_target`. TokenRateError.
 */
export const exchangeRefreshToken = (request: RefreshExchange, parts: ExchangeParts): Promise<AppTokens> =>
	exchange(parts, (tokens) =>
		parts.repository.exchangeRefresh(hashSecret(request.refreshToken), clock.now(), (authorization) => {
			if (authorization.client_id !== request.clientId) throw invalidGrant();
			return tokens(authorization, request.resource);
		}),
	);

type MakeTokens = (authorization: StoredAuthorization, resource: string | undefined) => NewTokens;

async function exchange(
	{ limits, onReuse }: ExchangeParts,
	perform: (makeTokens: MakeTokens) => Promise<ExchangeOutcome>,
): Promise<AppTokens> {
	const accessToken = createSecret(APP_TOKEN_PREFIX);
	const refreshToken = createSecret("ort");
	const outcome = await perform((authorization, resource) => {
		if (resource !== undefined && resource !== authorization.resource) throw wrongResource();
		const { id, user_id: userId } = authorization;
		const seconds = limits.countAppToken({ id, userId });
		if (seconds > 0) throw new TokenRateError(seconds);
		const now = clock.now();
		return {
			access: { tokenHash: hashSecret(accessToken), expiresAt: now + ACCESS_TOKEN_TTL_SECONDS * 1000 },
			refresh: { tokenHash: hashSecret(refreshToken), expiresAt: now + REFRESH_TTL_MS },
		};
	});
	if (outcome.kind === "reused") await onReuse(outcome.authorization);
	if (outcome.kind !== "done") throw invalidGrant();
	const { member, authorization } = outcome;
	const scopes = ROLE_SCOPES[member.role].filter((scope) => authorization.scopes.includes(scope));
	return { accessToken, refreshToken, scopes };
}

const invalidGrant = (): AuthorizationError =>
	new AuthorizationError(
		"invalid_grant",
		"The code or the refresh token is wrong, was used before or has expired, or is for another app, address or code_verifier.",
	);

const wrongResource = (): AuthorizationError =>
	new AuthorizationError("invalid_target", "The person gave access to another resource.");
