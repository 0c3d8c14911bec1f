import type { Deleted } from "@stemma/client";
import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { createId } from "../../create-id";
import { requireCaller } from "../../http/auth/authenticate";
import { readPublicOrigin } from "../../http/auth/public-origin";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { createOnce } from "../../http/idempotency/create-once";
import { respondWithPageById } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { createInvitations, type Invitations } from "../../people/invitations";
import type { PeopleStore } from "../../people/sessions";
import { toPageOrigin } from "../../people/sign-in-links";
import { assertMayGive } from "./assert-may-give";
import { emailField, roleField } from "./people-fields";

const invitationBody = z.strictObject({ email: emailField, role: roleField });
const PATH = "/v1/invitations";

const described = {
	invite: describeRoute({
		summary: "Invite a person",
		body: invitationBody,
		isIdempotent: true,
		responses: { 201: "CreatedInvitation" },
		errors: [
			"already_created",
			"too_many_invitations",
			"too_many_members",
			"member_has_higher_role",
			"missing_scope",
		],
		example: { email: "ada@example.com", role: "editor" },
	}),
	list: describeRoute({
		summary: "List invitations",
		isList: true,
		responses: { 200: "InvitationPage" },
	}),
	revoke: describeRoute({
		summary: "Revoke an invitation",
		responses: { 200: "Deleted" },
		errors: ["invitation_not_found"],
	}),
};

/** `/v1/invitations`: links by which people become members of a workspace. */
export function addInvitationRoutes(app: ServiceApp, store: PeopleStore): void {
	const requireManage = requireCaller({ scopes: ["keys:write"] });
	const getInvitations = (context: ServiceContext): Invitations =>
		createInvitations(store.signInLinks, context.get("workspace").id, readAuthor(toScope(context)));

	app.post(PATH, described.invite, requireManage, async (context) => {
		const body = await readJson(context, invitationBody);
		assertMayGive(context)(body.role);
		const origin = toPageOrigin(readPublicOrigin(context));
		const { create, exists } = getInvitations(context);
		const created = await createOnce(context, body, {
			id: createId("inv"),
			exists,
			create: (id) => create(id, body, origin),
		});
		return context.json(created, 201);
	});

	app.get(PATH, described.list, requireManage, (context) =>
		respondWithPageById(context, getInvitations(context).list),
	);

	app.delete(`${PATH}/:id`, described.revoke, requireManage, async (context) => {
		const id = context.req.param("id");
		await getInvitations(context).revoke(id, assertMayGive(context));
		return context.json({ id, deleted: true } satisfies Deleted);
	});
}
