import type { Deleted, SignedOut } from "@stemma/client";
import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import type { UserCaller } from "../../auth/caller";
import { assertScope, requireCaller } from "../../http/auth/authenticate";
import { clearSessionCookie } from "../../http/auth/session-cookie";
import { describeRoute } from "../../http/describe-route";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { sessionNotFound } from "../../people/people-errors";
import { findInviter, toUserSession } from "../../people/present-people";
import { isActiveSession, type PeopleStore } from "../../people/sessions";
import { requireUser } from "./require-user";

const listQuery = z.strictObject({ user_id: z.string().max(100).exactOptional() });
const PATH = "/v1/sessions";

const described = {
	list: describeRoute({
		summary: "List sessions",
		query: listQuery,
		isList: true,
		responses: { 200: "UserSessionPage" },
		errors: ["session_required"],
	}),
	end: describeRoute({
		summary: "End all sessions of the person",
		responses: { 200: "SignedOut" },
		errors: ["session_required"],
	}),
	endSession: describeRoute({
		summary: "End a session",
		responses: { 200: "Deleted" },
		errors: ["session_required", "session_not_found"],
	}),
};

/** `/v1/sessions`: the sessions of a person, which the person and admins end. */
export function addSessionListRoutes(app: ServiceApp, store: PeopleStore): void {
	const requireAny = requireCaller({ scopes: [] });

	app.get(PATH, described.list, requireAny, (context) =>
		respondWithPage(context, {
			query: listQuery,
			async list(page, { user_id }) {
				const caller = requireUser(context);
				if (user_id !== undefined && user_id !== caller.id) assertScope(caller, "keys:write");
				const sessions = await store.sessions.list(caller.workspaceId, user_id ?? caller.id, page);
				return Promise.all(
					sessions.filter(isActiveSession).map(async (session) => {
						const inviter = await findInviter(store.members, caller.workspaceId, session.invited_by);
						return toUserSession(session, caller.sessionId, inviter);
					}),
				);
			},
			cursorOf: ({ id }) => id,
		}),
	);

	app.delete(PATH, described.end, requireAny, async (context) => {
		const { workspaceId, id } = requireUser(context);
		const audit = { ...readAuthor(toScope(context)), action: "session.ended", target: id } as const;
		await store.sessions.deleteAll(workspaceId, id, audit);
		await context.get("kernel").people.watch.check();
		clearSessionCookie(context);
		return context.json({ signed_out: true } satisfies SignedOut);
	});

	app.delete(`${PATH}/:id`, described.endSession, requireAny, async (context) => {
		const caller = requireUser(context);
		const id = context.req.param("id");
		await assertMayEnd(store, caller, id);
		const audit = { ...readAuthor(toScope(context)), action: "session.ended", target: id } as const;
		if (!(await store.sessions.delete(caller.workspaceId, id, audit))) throw sessionNotFound();
		await context.get("kernel").people.watch.check();
		if (id === caller.sessionId) clearSessionCookie(context);
		return context.json({ id, deleted: true } satisfies Deleted);
	});
}

/** @throws DomainError `session_not_found` for a session of someone else, unless an admin ends it. */
async function assertMayEnd({ sessions }: PeopleStore, caller: UserCaller, sessionId: string): Promise<void> {
	const session = await sessions.find(caller.workspaceId, sessionId);
	const isAllowed = session?.user_id === caller.id || caller.scopes.includes("keys:write");
	if (session === undefined || !isAllowed) throw sessionNotFound();
}
