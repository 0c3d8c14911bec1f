import { assertAllScopes } from "../../http/auth/authenticate";
import type { ServiceContext } from "../../http/service-context";
import type { AssertRoleAllowed } from "../../people/members";
import { ROLE_SCOPES } from "../../people/roles";

/** Refuses to give a role, or to take it, to a caller that lacks one of its scopes. */
export const assertMayGive =
	(context: ServiceContext): AssertRoleAllowed =>
	(role) =>
		assertAllScopes(context.get("caller"), ROLE_SCOPES[role]);
