import { OPERATOR } from "../../audit/audit-author";
import { DomainError } from "../../errors/domain-error";
import type { ServiceContext } from "../../http/service-context";
import { ownSignInRequired } from "../../people/passkeys/passkey-errors";
import type { PasskeySession } from "../../people/passkeys/passkeys";
import type { PeopleStore } from "../../people/sessions";
import { requireUser } from "./require-user";

/**
 * Asserts that what outlives a session (a passkey, the access of an app) may be added in this one. A session by the link of
 * somebody else may be theirs: it adds the first way to sign in, and none beside another one, as whoever has that one can use it.
 *
 * @returns what it takes over from the session.
 * @throws DomainError `own_sign_in_required`, `session_required` where the session has just ended.
 */
export async function assertOwnSignIn(
	context: ServiceContext,
	store: Pick<PeopleStore, "sessions" | "passkeys" | "identities">,
): Promise<PasskeySession> {
	const { workspaceId, id, sessionId } = requireUser(context);
	const session = await store.sessions.find(workspaceId, sessionId);
	if (session === undefined)
		throw new DomainError("session_required", "The session has ended.", { hint: "Sign in again." });
	const { reach, invited_by: invitedBy } = session;
	// Whoever owns the data folder can do anything, and lets people in again who have lost their passkeys.
	if (invitedBy === null || invitedBy === OPERATOR) return { reach, invitedBy };
	const owner = { workspace_id: workspaceId, user_id: id };
	const passkeys = await store.passkeys.list(owner, { limit: 1, after: undefined });
	if (passkeys.length > 0 || (await store.identities.listByUser({ id })).length > 0)
		throw ownSignInRequired();
	return { reach, invitedBy };
}
