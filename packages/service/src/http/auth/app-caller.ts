import { invalidCredentials } from "../../auth/authenticator";
import type { UserCaller } from "../../auth/caller";
import { isAppToken } from "../../authorizations/authorizations";
import type { ServiceContext } from "../service-context";
import { countFailure } from "./session-caller";

/**
 * Finds the person that an app acts as, by its access token; `undefined` for a request with another credential.
 *
 * @param resource - path that the token must be for.
 * @throws DomainError `invalid_credentials` for a token that has ended, or is for another resource; `rate_limited` where an
 * address sends too many of these.
 */
export async function findAppCaller(
	context: ServiceContext,
	authorization: string | undefined,
	resource: string,
): Promise<UserCaller | undefined> {
	const [, token = ""] = /^Bearer +([\w-]{1,100}) *$/i.exec(authorization ?? "") ?? [];
	if (!isAppToken(token)) return undefined;
	const caller = await context.get("kernel").people.authorizations.findCaller(token, resource);
	if (caller !== undefined) return caller;
	countFailure(context);
	throw invalidCredentials();
}
