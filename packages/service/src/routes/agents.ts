import type { AgentGraph } from "@stemma/core";
import { z } from "zod";
import { checkGraph } from "../agents/check-graph";
import { checkKnowledgeBases } from "../agents/check-knowledge-bases";
import { SLUG, SLUG_LENGTH } from "../agents/slug";
import { checkAddresses } from "../graph-ports/check-addresses";
import { requireCaller } from "../http/authenticate";
import { withIdempotency } from "../http/idempotency";
import { readPage, toPage } from "../http/pages";
import { readJson, readQuery } from "../http/read-json";
import type { ServiceApp, ServiceContext } from "../http/service-app";
import { requireRoom } from "../storage/require-room";

const agentBody = z.strictObject({
	graph: z.unknown(),
	slug: z
		.string()
		.max(SLUG_LENGTH)
		.regex(SLUG, "must be lower-case letters and digits, with single hyphens between them")
		.refine((slug) => !slug.startsWith("ag-"), "must not begin as an id does")
		.optional(),
});

const noParameters = z.strictObject({});

/** `/v1/agents`: graphs that the service keeps. */
export function addAgentRoutes(app: ServiceApp): void {
	const toRead = requireCaller({ scopes: ["agents:run", "agents:write"] });
	const toWrite = requireCaller({ scopes: ["agents:write"] });

	app.post("/v1/agents", toWrite, async (context) => {
		await requireRoom(context);
		const body = await readJson(context, agentBody);
		return withIdempotency(context, body, async (keep) => {
			const { agents } = context.get("workspace");
			const graph = await checkCallableGraph(context, body.graph);
			const created = await agents.create(graph, body.slug, (transaction, answer) =>
				keep(transaction, { status: 201, body: answer }),
			);
			return { status: 201, body: created };
		});
	});

	app.get("/v1/agents", toRead, async (context) => {
		readQuery(context, noParameters);
		const { limit, after } = readPage(context);
		const rows = await context.get("workspace").agents.list(limit, after);
		return context.json(toPage(rows, limit, ({ id }) => id));
	});

	app.get("/v1/agents/:id", toRead, async (context) =>
		context.json(await context.get("workspace").agents.get(context.req.param("id"))),
	);

	app.put("/v1/agents/:id", toWrite, async (context) => {
		await requireRoom(context);
		const body = await readJson(context, agentBody);
		const graph = await checkCallableGraph(context, body.graph);
		const { agents } = context.get("workspace");
		return context.json(await agents.replace(context.req.param("id"), graph, body.slug));
	});

	app.delete("/v1/agents/:id", toWrite, async (context) => {
		const id = await context.get("workspace").agents.delete(context.req.param("id"));
		return context.json({ id, deleted: true });
	});
}

/** @throws ApiError 422 for what cannot be run here, or calls what may not be called. */
async function checkCallableGraph(context: ServiceContext, json: unknown): Promise<AgentGraph> {
	const graph = checkGraph(json);
	const { checkAddress } = context.get("kernel");
	const { scopes } = context.get("caller");
	checkKnowledgeBases(graph, {
		known: await context.get("workspace").knowledge.listNames(),
		seesKnowledgeBases: scopes.includes("knowledge:read") || scopes.includes("ask"),
	});
	await checkAddresses(graph, { check: checkAddress, seesAddresses: scopes.includes("settings:write") });
	return graph;
}
