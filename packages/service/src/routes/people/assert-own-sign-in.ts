import { OPERATOR } from "../../audit/audit-author";
import type { ServiceContext } from "../../http/service-context";
import { ownSignInRequired } from "../../people/passkeys/passkey-errors";
import type { PeopleStore } from "../../people/sessions";
import { requireUser } from "./require-user";

/**
 * Asserts that what outlives a session (a passkey, the access of an app) may be added in this one. A session by the link of
 * somebody else may be theirs: it adds the first way to sign in, and none beside another one, as whoever has that one can use it.
 *
 * @returns who made the link of the session, where that was somebody else.
 * @throws DomainError `own_sign_in_required`
 */
export async function assertOwnSignIn(
	context: ServiceContext,
	store: Pick<PeopleStore, "sessions" | "passkeys" | "identities">,
): Promise<string | null> {
	const { workspaceId, id, sessionId } = requireUser(context);
	const inviter = (await store.sessions.find(workspaceId, sessionId))?.invited_by ?? null;
	// Whoever owns the data folder can do anything, and lets people in again who have lost their passkeys.
	if (inviter === null || inviter === OPERATOR) return inviter;
	const owner = { workspace_id: workspaceId, user_id: id };
	const passkeys = await store.passkeys.list(owner, { limit: 1, after: undefined });
	if (passkeys.length > 0 || (await store.identities.listByUser({ id })).length > 0)
		throw ownSignInRequired();
	return inviter;
}
