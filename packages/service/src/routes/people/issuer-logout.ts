import { readBody } from "../../http/body/read-body";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import type { Issuer } from "../../people/oidc/issuers";
import { type Logout, readLogoutToken } from "../../people/oidc/logout-token";
import type { PeopleStore } from "../../people/sessions";
import type { UsedTokens } from "../../people/used-tokens";

const PATH = "/v1/sign-in/:issuer/logout";
const MAX_LOGOUT_BYTES = 64 * 1024;

const description = describeRoute({
	summary: "End the sessions of a person, as their issuer asks",
	otherBody: { form: ["logout_token"], required: ["logout_token"] },
	responses: { 200: {} },
	errors: ["issuer_not_found"],
	otherErrors: [400],
	errorForm: "oauth",
});

/** `POST /v1/sign-in/:issuer/logout`: an issuer ends the sessions of a person (OpenID Connect Back-Channel Logout 1.0). */
export function addIssuerLogoutRoute(app: ServiceApp, store: PeopleStore): void {
	app.post(PATH, description, async (context) => {
		context.header("cache-control", "no-store");
		const { people, logger } = context.get("kernel");
		const issuer = people.issuers.get(context.req.param("issuer"));
		const { key } = issuer.configuration;
		let logout: Logout;
		try {
			logout = await readLogout(context, issuer, store.usedTokens);
		} catch (error) {
			// Issuers read no other form of errors (section 2.8).
			logger.warn({ issuer: key, reason: describe(error) }, "a logout of an issuer was refused");
			return context.json({ error: "invalid_request", error_description: describe(error) }, 400);
		}
		const requestId = context.get("requestId");
		const ended = { issuer: issuer.configuration.issuer, subject: logout.subject, sid: logout.sid };
		await store.identities.endSessions(ended, ({ id, user_id }) => ({
			...{ actor: user_id, action: "session.ended", target: id, requestId },
			details: { issuer: key },
		}));
		// Not before: an issuer repeats what failed.
		await store.usedTokens.use(toUse(key, logout), logout.expiresAt + USED_TOKEN_GRACE_MS);
		await people.watch.check();
		return context.body(null, 200);
	});
}

async function readLogout(
	context: ServiceContext,
	issuer: Issuer,
	used: Pick<UsedTokens, "isUsed">,
): Promise<Logout> {
	const type = context.req.header("content-type") ?? "";
	if (!type.startsWith("application/x-www-form-urlencoded"))
		throw new Error("The body must be application/x-www-form-urlencoded.");
	const form = new URLSearchParams(new TextDecoder().decode(await readBody(context, MAX_LOGOUT_BYTES)));
	const token = form.get("logout_token");
	if (token === null) throw new Error("The body has no logout_token.");
	const logout = await readLogoutToken(issuer, token);
	if (await used.isUsed(toUse(issuer.configuration.key, logout))) throw new Error("It was used before.");
	return logout;
}

/** Time by which a token may be used after its end, as clocks differ. */
const USED_TOKEN_GRACE_MS = 60 * 1000;

const toUse = (key: string, { tokenId }: Logout): string => `logout ${key} ${tokenId}`;

const describe = (error: unknown): string =>
	error instanceof Error
		? `The logout token is not valid. ${error.message}`
		: "The logout token is not valid.";
