import * as z from "zod";
import { assertAccessAllowed, changeAccess } from "../../access/change-access";
import { findHiddenItems } from "../../access/hidden-items";
import { checkCallableGraph } from "../../agents/check-callable-graph";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { withIdempotency } from "../../http/idempotency/idempotency";
import { respondWithPageById } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { requireSpace } from "../../storage/require-space";
import { slugSchema } from "../../validation/slug-schema";
import { accessField } from "../people/access-field";
import { noteField } from "./note-field";

const agentBody = z.strictObject({
	// `validateAgent` checks it; the document has the schema of its type.
	graph: z.unknown().meta({ $ref: "#/components/schemas/AgentGraph" }),
	note: noteField,
	slug: slugSchema.refine((slug) => !slug.startsWith("ag-"), "must not begin as an id does").optional(),
});

const replaceBody = agentBody.extend({
	access: accessField.exactOptional(),
	version: z.int().positive().optional(),
});

const described = {
	create: describeRoute({
		summary: "Create an agent",
		body: agentBody,
		isIdempotent: true,
		responses: { 201: "StoredAgent" },
		errors: [
			"agent_invalid",
			"agent_not_runnable",
			"blocked_address",
			"knowledge_base_not_found",
			"slug_taken",
			"quota_exceeded",
		],
	}),
	list: describeRoute({
		summary: "List agents",
		isList: true,
		responses: { 200: "StoredAgentPage" },
	}),
	get: describeRoute({
		summary: "Get an agent",
		responses: { 200: "StoredAgent" },
		errors: ["agent_not_found"],
	}),
	replace: describeRoute({
		summary: "Replace an agent",
		body: replaceBody,
		responses: { 200: "StoredAgent" },
		errors: [
			"agent_not_found",
			"agent_changed",
			"agent_invalid",
			"agent_not_runnable",
			"blocked_address",
			"knowledge_base_not_found",
			"slug_taken",
			"quota_exceeded",
		],
	}),
	delete: describeRoute({
		summary: "Delete an agent",
		responses: { 200: "Deleted" },
		errors: ["agent_not_found"],
	}),
};

/** `/v1/agents`: graphs that the service keeps. */
export function addAgentRoutes(app: ServiceApp): void {
	const requireRead = requireCaller({ scopes: ["agents:run", "agents:write"] });
	const requireWrite = requireCaller({ scopes: ["agents:write"] });

	app.post("/v1/agents", described.create, requireWrite, async (context) => {
		const scope = toScope(context);
		await requireSpace(scope);
		const body = await readJson(context, agentBody);
		return withIdempotency(context, body, async (toRecord) => {
			const { agents } = context.get("workspace");
			const { slug, note } = body;
			const graph = await checkCallableGraph(scope, body.graph);
			const agent = { graph, slug, note, createdBy: scope.caller.id };
			const created = await agents.create(agent, (body) => toRecord({ status: 201, body }));
			return { status: 201, body: created };
		});
	});

	app.get("/v1/agents", described.list, requireRead, (context) =>
		respondWithPageById(context, async (page) => {
			const { agentIds: without } = await findHiddenItems(toScope(context));
			return context.get("workspace").agents.list({ ...page, without });
		}),
	);

	app.get("/v1/agents/:id", described.get, requireRead, async (context) =>
		context.json(await context.get("workspace").agents.get(context.req.param("id"))),
	);

	app.put("/v1/agents/:id", described.replace, requireWrite, async (context) => {
		const scope = toScope(context);
		await requireSpace(scope);
		const { access, graph: json, ...body } = await readJson(context, replaceBody);
		const graph = await checkCallableGraph(scope, json);
		const { agents } = context.get("workspace");
		if (access !== undefined)
			await assertAccessAllowed(scope, access, (await agents.get(context.req.param("id"))).access);
		const replaced = await agents.replace(context.req.param("id"), {
			...body,
			graph,
			createdBy: scope.caller.id,
		});
		if (access === undefined) return context.json(replaced);
		await changeAccess(scope, { kind: "agent", id: replaced.id }, access);
		return context.json(await agents.get(replaced.id));
	});

	app.delete("/v1/agents/:id", described.delete, requireWrite, async (context) => {
		const id = await context.get("workspace").agents.delete(context.req.param("id"));
		return context.json({ id, deleted: true });
	});
}
