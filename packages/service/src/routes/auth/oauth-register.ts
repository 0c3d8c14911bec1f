import { clock } from "@stemma/core/internal";
import type { RateLimiter } from "../../auth/rate-limiter";
import { AuthorizationError } from "../../authorizations/authorization-error";
import {
	MAX_ALL_REGISTRATIONS_PER_MINUTE,
	MAX_METADATA_BYTES,
	MAX_REGISTRATIONS_PER_MINUTE,
} from "../../authorizations/authorization-limits";
import { appMetadata } from "../../authorizations/client-metadata-document";
import type { App } from "../../authorizations/stored-authorizations";
import { readBody } from "../../http/body/read-body";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toRateLimitKey } from "../../outbound/ip-address";
import { respondWithTokenError, TokenError } from "./token-form";

const description = describeRoute({
	summary: "Register an app",
	otherBody: { external: "https://www.rfc-editor.org/rfc/rfc7591#section-3.1" },
	responses: { 201: "External" },
	otherErrors: [400, 429],
	errorForm: "oauth",
});

/**
 * `POST /oauth/register`: an app registers itself (RFC 7591). It gets an id and no secret, and with it nothing but the right
 * to ask people for access.
 */
export function addRegistrationRoute(app: ServiceApp, rate: RateLimiter): void {
	app.post("/oauth/register", description, async (context) => {
		context.header("cache-control", "no-store");
		try {
			const { address } = context.env ?? {};
			const seconds =
				(address === undefined ? 0 : rate.count(toRateLimitKey(address), MAX_REGISTRATIONS_PER_MINUTE)) ||
				rate.count("all", MAX_ALL_REGISTRATIONS_PER_MINUTE);
			if (seconds > 0)
				throw new TokenError("rate_limited", "Too many apps are being registered. Wait.", 429, seconds);
			return context.json(toRegistration(await register(context)), 201);
		} catch (error) {
			return respondWithTokenError(context, error);
		}
	});
}

async function register(context: ServiceContext): Promise<App> {
	const parsed = appMetadata.safeParse(await readJsonBody(context));
	if (!parsed.success)
		throw new TokenError("invalid_client_metadata", "The body must be JSON with a list of redirect_uris.");
	try {
		return await context.get("kernel").people.authorizations.apps.register(parsed.data);
	} catch (error) {
		if (error instanceof AuthorizationError) throw new TokenError(error.code, error.message);
		throw error;
	}
}

async function readJsonBody(context: ServiceContext): Promise<unknown> {
	const bytes = await readBody(context, MAX_METADATA_BYTES);
	try {
		return JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		return undefined;
	}
}

/** Registered metadata, which may differ from what was asked for (section 3.2.1). */
const toRegistration = ({ id, name, redirectUris }: App) => ({
	client_id: id,
	client_id_issued_at: Math.floor(clock.now() / 1000),
	client_name: name,
	redirect_uris: redirectUris,
	token_endpoint_auth_method: "none",
	grant_types: ["authorization_code", "refresh_token"],
	response_types: ["code"],
});
