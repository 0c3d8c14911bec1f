import type { Deleted } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { createId } from "../../create-id";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { createOnce } from "../../http/idempotency/create-once";
import { respondWithPageById } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import type { MemberRepository } from "../../people/people-repositories";
import { MAX_NAME_CHARACTERS } from "../../validation/field-limits";
import type { WorkspaceAuthor } from "../../workspaces/delete-workspace";
import { workspaceNotFound } from "../../workspaces/workspace-errors";
import type { WorkspaceRegistry } from "../../workspaces/workspace-registry";

const workspaceBody = z.strictObject({ name: z.string().trim().min(1).max(MAX_NAME_CHARACTERS) });
const PATH = "/v1/workspaces";

const described = {
	create: describeRoute({
		summary: "Create a workspace",
		body: workspaceBody,
		isIdempotent: true,
		responses: { 201: "CreatedWorkspace" },
		errors: ["already_created", "name_taken"],
		example: { name: "Finance" },
	}),
	list: describeRoute({
		summary: "List workspaces",
		isList: true,
		responses: { 200: "WorkspacePage" },
	}),
	get: describeRoute({
		summary: "Get a workspace",
		responses: { 200: "Workspace" },
		errors: ["workspace_not_found"],
	}),
	rename: describeRoute({
		summary: "Rename a workspace",
		body: workspaceBody,
		responses: { 200: "Workspace" },
		errors: ["workspace_not_found", "name_taken"],
		example: { name: "Finance" },
	}),
	delete: describeRoute({
		summary: "Delete a workspace",
		responses: { 200: "Deleted" },
		errors: ["workspace_not_found", "last_workspace", "workspace_in_use", "runs_in_flight"],
	}),
};

/** `/v1/workspaces`: the workspaces of the deployment, as objects. */
export function addWorkspaceRoutes(
	app: ServiceApp,
	registry: WorkspaceRegistry,
	members: MemberRepository,
): void {
	const requireCreate = requireCaller({ scopes: ["deployment:write"] });
	// Operators whose own workspace cannot be used see what is wrong, and delete what is damaged.
	const requireManage = requireCaller({ scopes: ["deployment:write"], needsWorkspace: false });

	app.post(PATH, described.create, requireCreate, async (context) => {
		context.get("kernel").disk.assertSpace();
		const { name } = await readJson(context, workspaceBody);
		const author = readWorkspaceAuthor(context);
		const created = await createOnce(
			context,
			{ name },
			{
				id: createId("ws"),
				exists: async (id) => (await registry.find(id)) !== undefined,
				async create(id) {
					const workspace = await registry.create({ id, name }, author);
					await addCreator(context, members, id);
					return workspace;
				},
			},
		);
		return context.json(created, 201);
	});

	app.get(PATH, described.list, requireManage, (context) => respondWithPageById(context, registry.list));

	app.get(`${PATH}/:id`, described.get, requireManage, async (context) => {
		const found = await registry.find(context.req.param("id"));
		if (found === undefined) throw workspaceNotFound();
		return context.json(found);
	});

	app.patch(`${PATH}/:id`, described.rename, requireManage, async (context) => {
		const { name } = await readJson(context, workspaceBody);
		const author = readWorkspaceAuthor(context);
		return context.json(await registry.rename(context.req.param("id"), name, author));
	});

	app.delete(`${PATH}/:id`, described.delete, requireManage, async (context) => {
		const id = context.req.param("id");
		await registry.delete(id, readWorkspaceAuthor(context));
		return context.json({ id, deleted: true } satisfies Deleted);
	});
}

/** Makes the person who created a workspace its admin; programs have its first client. */
async function addCreator(
	context: ServiceContext,
	members: MemberRepository,
	workspaceId: string,
): Promise<void> {
	const caller = context.get("caller");
	if (caller.kind !== "user") return;
	const creator = await members.find(caller.workspaceId, caller.id);
	if (creator === undefined) return;
	await members.insert(
		{
			...{ id: creator.id, workspace_id: workspaceId, name: creator.name, role: "admin" },
			createdAt: clock.now(),
		},
		{
			...readAuthor(toScope(context)),
			action: "member.updated",
			target: creator.id,
			details: { role: "admin", previous_role: null },
		},
	);
}

const readWorkspaceAuthor = (context: ServiceContext): WorkspaceAuthor => ({
	...readAuthor(toScope(context)),
	workspaceId: context.get("caller").workspaceId,
});
