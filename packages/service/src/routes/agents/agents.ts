import * as z from "zod";
import { assertAccessAllowed, changeAccess } from "../../access/change-access";
import { findHiddenItems } from "../../access/hidden-items";
import { checkCallableGraph } from "../../agents/check-callable-graph";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { withIdempotency } from "../../http/idempotency/idempotency";
import { respondWithPageById } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { requireSpace } from "../../storage/require-space";
import { slugSchema } from "../../validation/slug-schema";
import { accessField } from "../people/access-field";
import { noteField } from "./note-field";

const agentBody = z.strictObject({
	graph: z.unknown(),
	note: noteField,
	slug: slugSchema.refine((slug) => !slug.startsWith("ag-"), "must not begin as an id does").optional(),
});

const replaceBody = agentBody.extend({
	access: accessField.exactOptional(),
	version: z.int().positive().optional(),
});

/** `/v1/agents`: graphs that the service keeps. */
export function addAgentRoutes(app: ServiceApp): void {
	const requireRead = requireCaller({ scopes: ["agents:run", "agents:write"] });
	const requireWrite = requireCaller({ scopes: ["agents:write"] });

	app.post("/v1/agents", requireWrite, async (context) => {
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

	app.get("/v1/agents", requireRead, (context) =>
		respondWithPageById(context, async (page) => {
			const { agentIds: without } = await findHiddenItems(toScope(context));
			return context.get("workspace").agents.list({ ...page, without });
		}),
	);

	app.get("/v1/agents/:id", requireRead, async (context) =>
		context.json(await context.get("workspace").agents.get(context.req.param("id"))),
	);

	app.put("/v1/agents/:id", requireWrite, async (context) => {
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

	app.delete("/v1/agents/:id", requireWrite, async (context) => {
		const id = await context.get("workspace").agents.delete(context.req.param("id"));
		return context.json({ id, deleted: true });
	});
}
