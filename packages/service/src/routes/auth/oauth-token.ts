import type { Scope } from "@stemma/client";
import type { TokenLimits } from "../../auth/budgets/token-limits";
import type { LoginThrottle } from "../../auth/login-throttle";
import { isScope } from "../../auth/scopes";
import {
	ACCESS_TOKEN_TTL_SECONDS,
	type AccessTokens,
	type TokenRequest,
} from "../../auth/tokens/access-tokens";
import type { AuthorizationRepository } from "../../authorizations/authorization-repository";
import { readPublicOrigin } from "../../http/auth/public-origin";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { exchangeAppTokens } from "./app-tokens";
import { readBasicCredentials } from "./basic-credentials";
import { readTokenForm, respondWithTokenError, TokenError } from "./token-form";

/** Parts that the route needs. */
export interface TokenRouteParts {
	readonly tokens: AccessTokens;
	readonly limits: TokenLimits;
	readonly throttle: LoginThrottle;
	readonly repository: AuthorizationRepository;
}

const CLIENT_ID = /^cl_[0-9a-z]{26}$/;

const description = describeRoute({
	summary: "Exchange credentials for an access token",
	otherBody: {
		form: [
			"grant_type",
			"client_id",
			"client_secret",
			"scope",
			"resource",
			"code",
			"redirect_uri",
			"code_verifier",
			"refresh_token",
		],
		required: ["grant_type"],
	},
	responses: { 200: "AccessTokenResponse" },
	otherErrors: [400, 401, 429],
	errorForm: "oauth",
});

/**
 * `POST /oauth/token`: client credentials for an access token (RFC 6749, section 4.4); codes and refresh tokens of apps for
 * their tokens (sections 4.1.3 and 6).
 */
export function addTokenRoute(app: ServiceApp, parts: TokenRouteParts): void {
	app.post("/oauth/token", description, async (context) => {
		context.header("cache-control", "no-store");
		context.header("pragma", "no-cache");
		try {
			const form = await readTokenForm(context);
			return context.json(await respond(context, form, parts));
		} catch (error) {
			return respondWithTokenError(context, error);
		}
	});
}

async function respond(context: ServiceContext, form: URLSearchParams, parts: TokenRouteParts) {
	const grantType = form.get("grant_type");
	if (grantType === null) throw new TokenError("invalid_request", "grant_type is missing.");
	if (grantType === "authorization_code" || grantType === "refresh_token")
		return exchangeAppTokens(context, form, parts);
	const request = readTokenRequest(context, form, grantType);
	const { access_token, scopes } = await grant(parts, request, readAddress(context));
	return {
		access_token,
		token_type: "bearer",
		expires_in: ACCESS_TOKEN_TTL_SECONDS,
		scope: scopes.join(" "),
	};
}

async function grant(
	{ tokens, limits, throttle }: TokenRouteParts,
	request: TokenRequest,
	address: string | undefined,
): Promise<{ readonly access_token: string; readonly scopes: readonly Scope[] }> {
	const outcome = await tokens.grant(request);
	if (outcome.kind === "invalid_client") {
		const retryAfterSeconds = limits.countFailure(address);
		if (retryAfterSeconds > 0) throw tooManyTokens("address", retryAfterSeconds);
		// What can be no client costs nothing to refuse, and nothing of it is remembered.
		if (CLIENT_ID.test(request.clientId)) await throttle.recordFailure(request.clientId);
		throw new TokenError("invalid_client", "The client id or the client secret is wrong.", 401);
	}
	throttle.reset(request.clientId);
	if (outcome.kind === "rate_limited") throw tooManyTokens("client", outcome.retryAfterSeconds);
	if (outcome.kind === "invalid_scope")
		throw new TokenError("invalid_scope", `The client does not have the scope ${outcome.scope}.`);
	return { access_token: outcome.accessToken, scopes: outcome.scopes };
}

const tooManyTokens = (owner: string, retryAfterSeconds: number): TokenError =>
	new TokenError(
		"rate_limited",
		`This ${owner} has sent too many requests for tokens. Use a token until it expires, and wait as long as retry-after says.`,
		429,
		retryAfterSeconds,
	);

/** Address of the client, as far as proxies are trusted: any header may be forged. Right credentials never count for it. */
const readAddress = ({ env }: ServiceContext): string | undefined => env?.address;

function readTokenRequest(context: ServiceContext, form: URLSearchParams, grantType: string): TokenRequest {
	if (grantType !== "client_credentials")
		throw new TokenError(
			"unsupported_grant_type",
			"grant_type must be client_credentials, authorization_code or refresh_token.",
		);
	const resource = form.get("resource");
	if (resource !== null) assertOwnResource(context, resource);
	// Who names a resource has the scopes from its metadata, which lists all that are of use there.
	const allowSubset = resource !== null;
	return { ...readClient(context, form), scopes: readScopes(form.get("scope")), allowSubset };
}

/**
 * Asserts that the resource of a token belongs to this service: no other server accepts its tokens (RFC 8707, section
 * 2).
 */
function assertOwnResource(context: ServiceContext, resource: string): void {
	if (URL.canParse(resource) && !resource.includes("#")) {
		const { protocol, host } = new URL(resource);
		if (/^https?:$/.test(protocol) && host === new URL(readPublicOrigin(context)).host) return;
	}
	throw new TokenError(
		"invalid_target",
		"resource must be an address of this service, such as that of /mcp.",
	);
}

function readClient(
	context: ServiceContext,
	form: URLSearchParams,
): Pick<TokenRequest, "clientId" | "clientSecret"> {
	const authorization = context.req.header("authorization");
	const [id, secret] = [form.get("client_id"), form.get("client_secret")];
	if (authorization === undefined) {
		if (id === null || secret === null)
			throw new TokenError("invalid_client", "The client id and the client secret are missing.", 401);
		return { clientId: id, clientSecret: secret };
	}
	const basic = readBasicCredentials(authorization);
	if (basic === undefined)
		throw new TokenError(
			"invalid_client",
			"The Authorization header must use the Basic scheme, with the client id and the client secret.",
			401,
		);
	if (secret !== null || (id !== null && id !== basic.clientId))
		throw new TokenError("invalid_request", "Send the client secret by Basic or in the body, not both.");
	return basic;
}

function readScopes(text: string | null): readonly Scope[] | undefined {
	const names = text?.split(" ").filter((name) => name !== "") ?? [];
	if (names.length === 0) return undefined;
	const scopes = names.filter(isScope);
	if (scopes.length < names.length) throw new TokenError("invalid_scope", "There is no such scope.");
	return [...new Set(scopes)];
}
