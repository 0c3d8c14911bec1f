import type { TokenLimits } from "../../auth/budgets/token-limits";
import { hashSecret } from "../../auth/secrets";
import { ACCESS_TOKEN_TTL_SECONDS } from "../../auth/tokens/access-tokens";
import { AuthorizationError } from "../../authorizations/authorization-error";
import type { AuthorizationRepository } from "../../authorizations/authorization-repository";
import {
	type AppTokens,
	type ExchangeParts,
	exchangeCode,
	exchangeRefreshToken,
	TokenRateError,
} from "../../authorizations/exchange-tokens";
import { parseResource } from "../../authorizations/parse-authorization-request";
import { isOwnOrigin } from "../../http/auth/own-origin";
import type { ServiceContext } from "../../http/service-context";
import { readParameter, TokenError } from "./token-form";

/** Parts that the exchange of codes and refresh tokens needs. */
export interface AppTokenParts {
	readonly repository: AuthorizationRepository;
	readonly limits: TokenLimits;
}

/**
 * Exchanges the code or the refresh token of an app for tokens. Apps have no secrets: their proof is the code verifier, or
 * the refresh token, which is good for once.
 *
 * @throws TokenError
 */
export async function exchangeAppTokens(
	context: ServiceContext,
	form: URLSearchParams,
	{ repository, limits }: AppTokenParts,
) {
	assertPublicClient(context, form);
	const parts: ExchangeParts & AppTokenParts = {
		...{ repository, limits },
		// What was open for the authorization ends.
		onReuse: () => context.get("kernel").people.watch.check(),
	};
	try {
		return toTokenResponse(await exchange(context, form, parts));
	} catch (error) {
		throw toTokenError(context, error, limits);
	}
}

async function exchange(
	context: ServiceContext,
	form: URLSearchParams,
	parts: ExchangeParts & AppTokenParts,
): Promise<AppTokens> {
	const clientId = readParameter(form, "client_id");
	const named = form.get("resource") ?? undefined;
	const resource = named && parseResource(named, (origin) => isOwnOrigin(context, origin));
	if (form.get("grant_type") === "refresh_token") {
		const refreshToken = readParameter(form, "refresh_token");
		await assertConfirmed(context, refreshToken, parts.repository);
		return exchangeRefreshToken({ clientId, resource, refreshToken }, parts);
	}
	return exchangeCode(
		{
			...{ clientId, resource, code: readParameter(form, "code") },
			redirectUri: readParameter(form, "redirect_uri"),
			codeVerifier: readParameter(form, "code_verifier"),
		},
		parts,
	);
}

/** Asserts that the person of a refresh token is still known at their issuer; the token stays good for when they are. */
async function assertConfirmed(
	context: ServiceContext,
	refreshToken: string,
	repository: AuthorizationRepository,
): Promise<void> {
	const found = await repository.findByToken(hashSecret(refreshToken));
	const { confirmations } = context.get("kernel").people;
	if (found === undefined || (await confirmations.isConfirmed({ id: found.user_id }))) return;
	throw new AuthorizationError(
		"invalid_grant",
		"The person has to sign in at their issuer again, on the page of the service. The refresh token is good after that.",
	);
}

/** RFC 6749, section 5.1. */
const toTokenResponse = ({ accessToken, refreshToken, scopes }: AppTokens) => ({
	access_token: accessToken,
	token_type: "bearer",
	expires_in: ACCESS_TOKEN_TTL_SECONDS,
	refresh_token: refreshToken,
	scope: scopes.join(" "),
});

function assertPublicClient({ req }: ServiceContext, form: URLSearchParams): void {
	if (req.header("authorization") === undefined && form.get("client_secret") === null) return;
	throw new TokenError(
		"invalid_client",
		"Apps have no secret here: send client_id in the body, and nothing else to authenticate.",
		401,
	);
}

function toTokenError(context: ServiceContext, error: unknown, limits: TokenLimits): unknown {
	if (error instanceof TokenRateError)
		return new TokenError("rate_limited", error.message, 429, error.retryAfterSeconds);
	if (!(error instanceof AuthorizationError)) return error;
	// Whoever tries codes waits.
	const seconds = limits.countFailure(context.env?.address);
	if (seconds > 0)
		return new TokenError("rate_limited", "This address has sent too many wrong codes.", 429, seconds);
	return new TokenError(error.code, error.message);
}
