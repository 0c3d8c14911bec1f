import type { UserCaller } from "../../auth/caller";
import { DomainError } from "../../errors/domain-error";
import { hasToken } from "../../http/auth/token-caller";
import type { ServiceContext } from "../../http/service-context";

/** The person who sent a request with a session. @throws DomainError `session_required` for other callers. */
export function requireUser(context: ServiceContext): UserCaller {
	const caller = context.get("caller");
	if (caller.kind === "user" && !hasToken(caller)) return caller;
	throw new DomainError("session_required", "This is for people who are signed in.", {
		hint: "Clients, client keys and access tokens have no session: open the page of the service and sign in with a link.",
	});
}
