import type { UserCaller } from "../../auth/caller";
import { DomainError } from "../../errors/domain-error";
import { parseTokenSessionId } from "../../people/oidc/token-session";
import type { ServiceContext } from "../service-context";
import { countFailure } from "./session-caller";

const BEARER = /^Bearer +(\S{1,16384}) *$/i;

/**
 * Finds the person whose access token of an issuer a request was sent with; `undefined` for all other credentials.
 *
 * @throws DomainError `token_expired`, `invalid_token`, `token_user_unknown`, `issuer_unavailable`; `rate_limited` where an
 * address sends too many that are not valid.
 */
export async function findTokenCaller(
	context: ServiceContext,
	authorization: string | undefined,
): Promise<UserCaller | undefined> {
	const [, token] = BEARER.exec(authorization ?? "") ?? [];
	if (token === undefined) return undefined;
	try {
		return await context.get("kernel").people.findTokenCaller(token);
	} catch (error) {
		if (error instanceof DomainError && error.code === "invalid_token") countFailure(context);
		throw error;
	}
}

/** Checks whether a person has sent an access token of an issuer, and no session. */
export const hasToken = ({ sessionId }: UserCaller): boolean => parseTokenSessionId(sessionId) !== undefined;
