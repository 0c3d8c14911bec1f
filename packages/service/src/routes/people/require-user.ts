import type { UserCaller } from "../../auth/caller";
import { DomainError } from "../../errors/domain-error";
import type { ServiceContext } from "../../http/service-context";

/** The person who sent a request. @throws DomainError `session_required` for other callers. */
export function requireUser(context: ServiceContext): UserCaller {
	const caller = context.get("caller");
	if (caller.kind === "user") return caller;
	throw new DomainError("session_required", "This is for people who are signed in.", {
		hint: "Clients and client keys have no session: open the page of the service and sign in with a link.",
	});
}
