import { clock } from "@stemma/core/internal";
import { invalidCredentials } from "../../auth/authenticator";
import type { Caller, UserCaller } from "../../auth/caller";
import { isAuthorizationId } from "../../authorizations/authorizations";
import { DomainError } from "../../errors/domain-error";
import { parseTokenSessionId } from "../../people/oidc/token-session";
import type { ServiceContext } from "../service-context";
import { assertOwnPage } from "./own-page";
import { readSessionSecret } from "./session-cookie";

/**
 * Finds the caller of a request by its session; `undefined` for a request without one.
 *
 * @param authorization - other credential of the request.
 * @throws DomainError `credential_conflict` for a session and another credential; `invalid_credentials` for a session that
 * has ended; `rate_limited` where an address sends too many of these; and as `assertOwnPage`.
 */
export async function findSessionCaller(
	context: ServiceContext,
	authorization: string | undefined,
): Promise<Caller | undefined> {
	const secret = readSessionSecret(context);
	if (secret === undefined) return undefined;
	if (authorization !== undefined) throw credentialConflict();
	assertOwnPage(context);
	const caller = await context.get("kernel").people.sessions.findCaller(secret);
	if (caller !== undefined) return caller;
	countFailure(context);
	throw invalidCredentials();
}

/** Counts a wrong session or link of an address. @throws DomainError `rate_limited` where there were too many. */
export function countFailure(context: ServiceContext): void {
	const seconds = context.get("kernel").people.countFailure(context.env?.address);
	if (seconds === 0) return;
	throw new DomainError(
		"rate_limited",
		"This address has sent too many sessions or links that are not valid.",
		{
			hint: "Wait as long as the header retry-after says.",
			retryAfterSeconds: seconds,
		},
	);
}

/**
 * Checks that the sender of a request is still who the route has let in, as a body may have been held back for long.
 *
 * @throws DomainError `invalid_credentials` where the client or the client key was deleted, the session has ended, or its
 * person was removed; `role_changed`
 */
export async function assertSameCaller(context: ServiceContext): Promise<void> {
	// Open routes have no caller.
	const caller: Caller | undefined = context.get("caller");
	if (caller === undefined) return;
	if (caller.kind !== "user") {
		if (!(await context.get("kernel").authenticator.isKnown(caller))) throw invalidCredentials();
		return;
	}
	const user = await findCurrentUser(context, caller);
	if (user === undefined) throw invalidCredentials();
	if (user.role !== caller.role) throw roleChanged();
}

/** Finds the person of a request as they are now; `undefined` where session or token have ended, or they were removed. */
async function findCurrentUser(
	context: ServiceContext,
	caller: UserCaller,
): Promise<Pick<UserCaller, "role"> | undefined> {
	const { sessions, authorizations } = context.get("kernel").people;
	if (isAuthorizationId(caller.sessionId)) return authorizations.findById(caller.sessionId);
	const token = parseTokenSessionId(caller.sessionId);
	if (token !== undefined)
		return token.expiresAt > clock.now() ? sessions.findMember(caller.workspaceId, caller.id) : undefined;
	const secret = readSessionSecret(context);
	return secret === undefined ? undefined : sessions.findCaller(secret);
}

/**
 * Calls back when the session of a request has ended, as streams outlast the check of their request.
 *
 * @returns what ends the watch; nothing happens for other callers.
 */
export function watchSession(context: ServiceContext, onEnd: () => void): () => void {
	const caller = context.get("caller");
	if (caller.kind !== "user") return () => undefined;
	return context.get("kernel").people.watch.watch(caller.sessionId, onEnd);
}

const roleChanged = (): DomainError =>
	new DomainError("role_changed", "Your role has changed while the request was being sent.", {
		hint: "Send it again.",
	});

const credentialConflict = (): DomainError =>
	new DomainError("credential_conflict", "The request has a session and another credential.", {
		hint: 'Send one of the two. In browsers, fetch with credentials: "omit" sends no cookie.',
	});
