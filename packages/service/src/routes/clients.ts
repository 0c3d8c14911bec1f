import type { Deleted, ServerClient } from "@stemma/client";
import * as z from "zod";
import { readAuthor } from "../audit/audit-author";
import { type AssertMay, type Clients, createClients } from "../auth/clients";
import { createNewId } from "../auth/new-id";
import { isWorkspaceScope, SCOPES } from "../auth/scopes";
import { ApiError } from "../http/api-error";
import { requireAllScopes, requireCaller } from "../http/authenticate";
import { createOnce } from "../http/create-once";
import { MAX_NAME_CHARACTERS } from "../http/field-limits";
import { readPage, toPage } from "../http/pages";
import { readJson, readQuery } from "../http/read-json";
import type { ServiceApp, ServiceContext } from "../http/service-app";
import type { DeploymentDatabase } from "../store/deployment-database";

const clientCreateSchema = z.strictObject({
	name: z.string().min(1).max(MAX_NAME_CHARACTERS),
	scopes: z.array(z.enum(SCOPES)).max(SCOPES.length).optional(),
});

const noParameters = z.strictObject({});

/** `/v1/clients`: the credentials of servers. */
export function addClientRoutes(app: ServiceApp, database: DeploymentDatabase): void {
	const mayManage = requireCaller({ scopes: ["keys:write"] });
	const clientsOf = (context: ServiceContext): Clients =>
		createClients(database, context.get("workspace").id, readAuthor(context));

	app.post("/v1/clients", mayManage, async (context) => {
		const body = await readJson(context, clientCreateSchema);
		const caller = context.get("caller");
		const scopes = [...new Set(body.scopes ?? caller.scopes.filter(isWorkspaceScope))];
		requireAllScopes(caller, scopes);
		const clients = clientsOf(context);
		const created = await createOnce(context, body, {
			id: createNewId("cl"),
			exists: async (id) => (await clients.find(id)) !== undefined,
			create: (id) => clients.create({ id, name: body.name, scopes }),
		});
		return context.json(created, 201);
	});

	app.get("/v1/clients", mayManage, async (context) => {
		readQuery(context, noParameters);
		const page = readPage(context);
		const rows = await clientsOf(context).list(page);
		return context.json(toPage(rows, page.limit, ({ id }) => id));
	});

	app.get("/v1/clients/:id", mayManage, async (context) =>
		context.json(await demandClient(clientsOf(context), context.req.param("id"))),
	);

	app.delete("/v1/clients/:id", mayManage, async (context) => {
		const id = context.req.param("id");
		if (id === context.get("caller").id) throw inUse();
		const isDeleted = await clientsOf(context).delete(id, assertHolds(context));
		// Also where it was deleted before: a crash may have come between the two.
		await context.get("workspace").pushes.deliveries.endAllOf(id);
		if (!isDeleted) throw notFound();
		return context.json({ id, deleted: true } satisfies Deleted);
	});

	app.post("/v1/clients/:id/rotate", mayManage, async (context) => {
		const rotated = await clientsOf(context).rotate(context.req.param("id"), assertHolds(context));
		if (rotated === undefined) throw notFound();
		return context.json(rotated);
	});
}

/** Refuses a change of a client by a caller that lacks one of its scopes. */
const assertHolds =
	(context: ServiceContext): AssertMay =>
	(scopes) =>
		requireAllScopes(context.get("caller"), scopes);

async function demandClient(clients: Clients, id: string): Promise<ServerClient> {
	const found = await clients.find(id);
	if (found === undefined) throw notFound();
	return found;
}

const notFound = (): ApiError => new ApiError(404, "client_not_found", "There is no such client here.");

const inUse = (): ApiError =>
	new ApiError(409, "client_in_use", "A client cannot delete itself.", {
		hint: 'Delete it with another client that has the scope "keys:write" and all scopes of this one.',
	});
