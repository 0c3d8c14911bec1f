import type { TokenLimits } from "../../auth/budgets/token-limits";
import { hashSecret } from "../../auth/secrets";
import type { AuthorizationRepository } from "../../authorizations/authorization-repository";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp } from "../../http/service-context";
import { readParameter, readTokenForm, respondWithTokenError, TokenError } from "./token-form";

/** Parts that the route needs. */
export interface RevocationRouteParts {
	readonly repository: AuthorizationRepository;
	readonly limits: TokenLimits;
}

const description = describeRoute({
	summary: "End the access of an app",
	otherBody: { form: ["token", "token_type_hint", "client_id"], required: ["token"] },
	responses: { 200: {} },
	otherErrors: [400, 429],
	errorForm: "oauth",
});

/** `POST /oauth/revoke`: an app gives its access back (RFC 7009). Either of its tokens ends the authorization. */
export function addRevocationRoute(app: ServiceApp, { repository, limits }: RevocationRouteParts): void {
	app.post("/oauth/revoke", description, async (context) => {
		context.header("cache-control", "no-store");
		try {
			const form = await readTokenForm(context);
			const found = await repository.findByToken(hashSecret(readParameter(form, "token")));
			if (found === undefined || found.client_id !== form.get("client_id")) {
				const seconds = limits.countFailure(context.env?.address);
				if (seconds > 0)
					throw new TokenError("rate_limited", "This address has sent too many wrong tokens.", 429, seconds);
				// Section 2.2: a token that is not valid is no error.
				return context.body(null, 200);
			}
			const { id, workspace_id, user_id: actor } = found;
			const details = { reason: "revoked by the app" };
			const requestId = context.get("requestId");
			const audit = { actor, requestId, action: "authorization.ended", target: id, details } as const;
			await repository.delete(workspace_id, id, audit);
			await context.get("kernel").people.watch.check();
			return context.body(null, 200);
		} catch (error) {
			return respondWithTokenError(context, error);
		}
	});
}
