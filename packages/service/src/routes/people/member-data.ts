import type { Deleted } from "@stemma/client";
import { readAuthor } from "../../audit/audit-author";
import { requireCaller } from "../../http/auth/authenticate";
import { describeRoute } from "../../http/describe-route";
import { respondWithJsonLines } from "../../http/json-lines";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { eraseMember } from "../../member-data/erase-member";
import { type MemberDataStore, readMemberData } from "../../member-data/export-member-data";
import { memberNotFound } from "../../people/people-errors";
import { toMember } from "../../people/present-people";
import { assertMayGive } from "./assert-may-give";

const PATH = "/v1/members/:id";

const described = {
	export: describeRoute({
		summary: "Export the data of a person",
		responses: { 200: { "application/jsonl": "MemberData" } },
		errors: ["member_not_found", "missing_scope"],
	}),
	delete: describeRoute({
		summary: "Delete the data of a person",
		responses: { 200: "Deleted" },
		errors: ["member_not_found", "last_admin", "runs_in_flight"],
	}),
};

/** `/v1/members/:id/export` and `…/data`: all that a workspace has about a person, for the person and for admins. */
export function addMemberDataRoutes(app: ServiceApp, store: MemberDataStore): void {
	app.get(`${PATH}/export`, described.export, requireCaller({ scopes: [] }), async (context) => {
		const scope = toScope(context);
		const { caller, workspace } = scope;
		const id = context.req.param("id");
		const member = await store.members.find(workspace.id, id);
		const isAllowed = caller.id === id || caller.scopes.includes("keys:write");
		if (member === undefined || !isAllowed) throw memberNotFound(id);
		await workspace.store.audit.record({ ...readAuthor(scope), action: "member.exported", target: id });
		return respondWithJsonLines(context, readMemberData(scope, store, toMember(member)), {
			"content-disposition": `attachment; filename="${id}.jsonl"`,
		});
	});

	app.delete(`${PATH}/data`, described.delete, requireCaller({ scopes: ["keys:write"] }), async (context) => {
		const id = context.req.param("id");
		await eraseMember(toScope(context), store, id, assertMayGive(context));
		return context.json({ id, deleted: true } satisfies Deleted);
	});
}
