import type { MemberAccess } from "@stemma/client";
import { quote } from "@stemma/core/internal";
import { readAuthor } from "../audit/audit-author";
import { DomainError } from "../errors/domain-error";
import type { RequestScope } from "../request-scope";
import type { AccessChange } from "./access-repository";

/** Members that one knowledge base or agent can be limited to. */
export const MAX_ACCESS_USERS = 500;

/**
 * Asserts that access may be limited as a caller asks for.
 *
 * @param before - access until now; `undefined` for what is new.
 * @throws DomainError `invalid_request` for a user who is no member of the workspace, and for a person who would lock
 * themselves out.
 */
export async function assertAccessAllowed(
	{ caller, kernel, workspace }: Pick<RequestScope, "caller" | "kernel" | "workspace">,
	access: MemberAccess | undefined,
	before: MemberAccess | undefined,
): Promise<void> {
	if (access === undefined || access === "all") return;
	const { users } = access;
	// Members that were removed stay in a list until it is written without them.
	const listed = new Set(before === undefined || before === "all" ? [] : before.users);
	if (caller.kind === "user" && caller.role !== "admin" && !users.includes(caller.id)) throw lockedOut();
	for (const [index, id] of users.entries())
		if (!listed.has(id) && (await kernel.people.sessions.findMember(workspace.id, id)) === undefined)
			throw notAMember(id, `access.users[${index}]`);
}

/** Stores who may use a knowledge base or an agent, where a request says so. */
export async function changeAccess(
	scope: RequestScope,
	{ kind, id }: Pick<AccessChange, "kind" | "id">,
	access: MemberAccess | undefined,
): Promise<void> {
	if (access === undefined) return;
	const details = { access: access === "all" ? access : { users: [...new Set(access.users)] } };
	const action = `${kind}.access_changed` as const;
	const audit = { ...readAuthor(scope), action, target: id, details };
	await scope.workspace.store.access.set({ kind, id, access, audit });
}

const notAMember = (id: string, param: string): DomainError =>
	new DomainError("invalid_request", `The workspace has no member ${quote(id)}.`, {
		hint: "GET /v1/members lists the members of the workspace.",
		param,
	});

const lockedOut = (): DomainError =>
	new DomainError("invalid_request", "You are not among the members that you give access to.", {
		hint: "Name yourself as well, or ask an admin to make this change.",
		param: "access.users",
	});
