import type { Deleted, Scope } from "@stemma/client";
import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import type { ClientKeyRepository } from "../../auth/client-keys/client-key-repository";
import { type ClientKeys, createClientKeys, type NewClientKey } from "../../auth/client-keys/client-keys";
import { isExactOrigin } from "../../auth/client-keys/origins";
import { CLIENT_KEY_SCOPES } from "../../auth/scopes";
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
import { SLUG_PATTERN } from "../../validation/slug";
import { DEFAULT_CLIENT_KEY } from "../../workspaces/create-workspace";

/** Agents, or knowledge bases, that a client key names. */
const MAX_LISTED_IDS = 1_000;
const MAX_ORIGINS = 100;
const MAX_REQUESTS_PER_MINUTE = 1_000_000;
const MAX_TOKENS_PER_DAY = 1_000_000_000_000;

const names = z.array(z.string().min(1).max(100)).max(MAX_LISTED_IDS).nullable();

const origin = z.string().refine(isExactOrigin, {
	error:
		"must be an origin, exactly as browsers send it: https://app.example or http://localhost:3000, without a path",
});

const clientKeyCreateSchema = z
	.strictObject({
		name: z.string().min(1).max(MAX_NAME_CHARACTERS),
		scopes: z
			.array(z.enum(CLIENT_KEY_SCOPES))
			.min(1)
			.max(CLIENT_KEY_SCOPES.length)
			.default([...CLIENT_KEY_SCOPES]),
		origins: z.array(origin).max(MAX_ORIGINS).default([]),
		native: z.boolean().default(false),
		agents: names.default(DEFAULT_CLIENT_KEY.agents),
		knowledge_base_ids: names.default(DEFAULT_CLIENT_KEY.knowledge_base_ids),
		requests_per_minute: z
			.int()
			.min(1)
			.max(MAX_REQUESTS_PER_MINUTE)
			.default(DEFAULT_CLIENT_KEY.requests_per_minute),
		tokens_per_day: z.int().min(1).max(MAX_TOKENS_PER_DAY).default(DEFAULT_CLIENT_KEY.tokens_per_day),
		models: z.boolean().default(DEFAULT_CLIENT_KEY.models),
		expose: z.enum(["answer", "trace"]).default(DEFAULT_CLIENT_KEY.expose),
	})
	.refine(({ origins, native }) => native || origins.length > 0, {
		path: ["origins"],
		error: "must have at least one origin, unless native is true",
	});

const described = {
	create: describeRoute({
		summary: "Create a client key",
		body: clientKeyCreateSchema,
		isIdempotent: true,
		responses: { 201: "CreatedClientKey" },
		errors: ["already_created", "agent_not_found", "knowledge_base_not_found"],
		example: { name: "Website", origins: ["https://www.example.com"] },
	}),
	list: describeRoute({
		summary: "List client keys",
		isList: true,
		responses: { 200: "ClientKeyPage" },
	}),
	get: describeRoute({
		summary: "Get a client key",
		responses: { 200: "ClientKey" },
		errors: ["client_key_not_found"],
	}),
	delete: describeRoute({
		summary: "Delete a client key",
		responses: { 200: "Deleted" },
		errors: ["client_key_not_found"],
	}),
};

/** `/v1/client-keys`: the credentials of browsers and phones. */
export function addClientKeyRoutes(app: ServiceApp, repository: ClientKeyRepository): void {
	const requireManage = requireCaller({ scopes: ["keys:write"] });
	const getKeys = (context: ServiceContext): ClientKeys =>
		createClientKeys(repository, context.get("workspace").id, readAuthor(toScope(context)));

	app.post("/v1/client-keys", described.create, requireManage, async (context) => {
		const body = await readJson(context, clientKeyCreateSchema);
		assertAllScopes(context.get("caller"), listScopes(body));
		const keys = getKeys(context);
		const knowledge_base_ids = await resolveNames(context, body.knowledge_base_ids);
		const created = await createOnce(context, body, {
			id: createId("ck"),
			exists: async (id) => (await keys.find(id)) !== undefined,
			create: (id) => keys.create({ ...body, knowledge_base_ids, id }),
		});
		return context.json(created, 201);
	});

	app.get("/v1/client-keys", described.list, requireManage, (context) =>
		respondWithPageById(context, getKeys(context).list),
	);

	app.get("/v1/client-keys/:id", described.get, requireManage, async (context) => {
		const found = await getKeys(context).find(context.req.param("id"));
		if (found === undefined) throw notFound();
		return context.json(found);
	});

	app.delete("/v1/client-keys/:id", described.delete, requireManage, async (context) => {
		const id = context.req.param("id");
		const assertAllowed = (key: NewClientKey) => assertAllScopes(context.get("caller"), listScopes(key));
		if (!(await getKeys(context).delete(id, assertAllowed))) throw notFound();
		return context.json({ id, deleted: true } satisfies Deleted);
	});
}

/**
 * Resolves the knowledge bases of a key to ids, which it stores: a slug may go to another knowledge base later, to which
 * nobody gave the key.
 *
 * @throws DomainError `knowledge_base_not_found` for a slug that does not exist.
 */
async function resolveNames(
	context: ServiceContext,
	names: readonly string[] | null,
): Promise<readonly string[] | null> {
	if (names === null) return null;
	const { knowledge } = context.get("workspace");
	const slugs = names.filter((name) => SLUG_PATTERN.test(name));
	await knowledge.assertKnowledgeBasesExist(slugs);
	return [...new Set(await knowledge.resolveIds(names))];
}

/** Scopes that a caller needs to create or delete a key: what it shows counts as one. */
const listScopes = ({ scopes, expose }: Pick<NewClientKey, "scopes" | "expose">): readonly Scope[] =>
	expose === "trace" ? [...scopes, "agents:trace"] : scopes;

const notFound = (): DomainError =>
	new DomainError("client_key_not_found", "There is no such client key here.");
