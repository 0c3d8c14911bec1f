import type { ApiClient, Deleted } from "@stemma/client";
import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { type ApiClients, type AssertAllowed, createApiClients } from "../../auth/api-clients";
import type { ClientRepository } from "../../auth/client-repository";
import { isWorkspaceScope, SCOPES } from "../../auth/scopes";
import { createId } from "../../create-id";
import { DomainError } from "../../errors/domain-error";
import { assertAllScopes, requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { createOnce } from "../../http/idempotency/create-once";
import { respondWithPageById } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { MAX_NAME_CHARACTERS } from "../../validation/field-limits";

const clientCreateSchema = z.strictObject({
	name: z.string().min(1).max(MAX_NAME_CHARACTERS),
	scopes: z.array(z.enum(SCOPES)).max(SCOPES.length).optional(),
});

const described = {
	create: describeRoute({
		summary: "Create a client",
		body: clientCreateSchema,
		isIdempotent: true,
		responses: { 201: "CreatedApiClient" },
		errors: ["missing_scope", "already_created"],
		example: { name: "Import", scopes: ["knowledge:write"] },
	}),
	list: describeRoute({
		summary: "List clients",
		isList: true,
		responses: { 200: "ApiClientPage" },
	}),
	get: describeRoute({
		summary: "Get a client",
		responses: { 200: "ApiClient" },
		errors: ["client_not_found"],
	}),
	delete: describeRoute({
		summary: "Delete a client",
		responses: { 200: "Deleted" },
		errors: ["client_not_found", "client_in_use", "last_manager"],
	}),
	replace: describeRoute({
		summary: "Replace the secret of a client",
		responses: { 200: "CreatedApiClient" },
		errors: ["client_not_found", "last_manager"],
	}),
};

/** `/v1/clients`: the credentials of servers. */
export function addClientRoutes(app: ServiceApp, repository: ClientRepository): void {
	const requireManage = requireCaller({ scopes: ["keys:write"] });
	const getClients = (context: ServiceContext): ApiClients =>
		createApiClients(repository, context.get("workspace").id, readAuthor(toScope(context)));

	app.post("/v1/clients", described.create, requireManage, async (context) => {
		const body = await readJson(context, clientCreateSchema);
		const caller = context.get("caller");
		const scopes = [...new Set(body.scopes ?? caller.scopes.filter(isWorkspaceScope))];
		assertAllScopes(caller, scopes);
		const clients = getClients(context);
		const created = await createOnce(context, body, {
			id: createId("cl"),
			exists: async (id) => (await clients.find(id)) !== undefined,
			create: (id) => clients.create({ id, name: body.name, scopes }),
		});
		return context.json(created, 201);
	});

	app.get("/v1/clients", described.list, requireManage, (context) =>
		respondWithPageById(context, getClients(context).list),
	);

	app.get("/v1/clients/:id", described.get, requireManage, async (context) =>
		context.json(await getClient(getClients(context), context.req.param("id"))),
	);

	app.delete("/v1/clients/:id", described.delete, requireManage, async (context) => {
		const id = context.req.param("id");
		if (id === context.get("caller").id) throw clientInUse();
		const isDeleted = await getClients(context).delete(id, assertHoldsScopes(context));
		// Also where it was deleted before: a crash may have come between the two.
		await context.get("workspace").pushNotifications.deliveries.cancelAllOf(id);
		if (!isDeleted) throw notFound();
		return context.json({ id, deleted: true } satisfies Deleted);
	});

	app.post("/v1/clients/:id/rotate", described.replace, requireManage, async (context) => {
		const rotated = await getClients(context).rotate(context.req.param("id"), assertHoldsScopes(context));
		if (rotated === undefined) throw notFound();
		return context.json(rotated);
	});
}

/** Refuses a change of a client by a caller that lacks one of its scopes. */
const assertHoldsScopes =
	(context: ServiceContext): AssertAllowed =>
	(scopes) =>
		assertAllScopes(context.get("caller"), scopes);

async function getClient(clients: ApiClients, id: string): Promise<ApiClient> {
	const found = await clients.find(id);
	if (found === undefined) throw notFound();
	return found;
}

const notFound = (): DomainError => new DomainError("client_not_found", "There is no such client here.");

const clientInUse = (): DomainError =>
	new DomainError("client_in_use", "A client cannot delete itself.", {
		hint: 'Delete it with another client that has the scope "keys:write" and all scopes of this one.',
	});
