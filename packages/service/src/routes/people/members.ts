import type { Deleted } from "@stemma/client";
import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { createMembers, type Members } from "../../people/members";
import type { PeopleStore } from "../../people/sessions";
import { assertMayGive } from "./assert-may-give";
import { roleField } from "./people-fields";

const listQuery = z.strictObject({ status: z.enum(["active", "removed"]).default("active") });
const memberBody = z.strictObject({ role: roleField });
const PATH = "/v1/members";

const described = {
	list: describeRoute({
		summary: "List members",
		query: listQuery,
		isList: true,
		responses: { 200: "MemberPage" },
	}),
	change: describeRoute({
		summary: "Change the role of a member",
		body: memberBody,
		responses: { 200: "Member" },
		errors: ["member_not_found", "last_admin", "member_has_higher_role", "missing_scope"],
		example: { role: "editor" },
	}),
	remove: describeRoute({
		summary: "Remove a member",
		responses: { 200: "Deleted" },
		errors: ["member_not_found", "last_admin"],
	}),
};

/** `/v1/members`: the people of a workspace and their roles. */
export function addMemberRoutes(app: ServiceApp, store: PeopleStore): void {
	const requireManage = requireCaller({ scopes: ["keys:write"] });
	const getMembers = (context: ServiceContext): Members =>
		createMembers(store.members, context.get("workspace").id, readAuthor(toScope(context)));

	app.get(PATH, described.list, requireManage, (context) =>
		respondWithPage(context, {
			query: listQuery,
			list: (page, { status }) => getMembers(context).list({ ...page, status }),
			cursorOf: ({ id }) => id,
		}),
	);

	app.patch(`${PATH}/:id`, described.change, requireManage, async (context) => {
		const { role } = await readJson(context, memberBody);
		const assertAllowed = assertMayGive(context);
		assertAllowed(role);
		return context.json(await getMembers(context).updateRole(context.req.param("id"), role, assertAllowed));
	});

	app.delete(`${PATH}/:id`, described.remove, requireManage, async (context) => {
		const id = context.req.param("id");
		await getMembers(context).remove(id, assertMayGive(context));
		await context.get("kernel").people.watch.check();
		return context.json({ id, deleted: true } satisfies Deleted);
	});
}
