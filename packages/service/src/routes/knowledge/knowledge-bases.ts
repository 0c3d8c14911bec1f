import * as z from "zod";
import { assertAccessAllowed, changeAccess } from "../../access/change-access";
import { findHiddenItems } from "../../access/hidden-items";
import { assertUnused } from "../../agents/assert-unused";
import { readAuthor } from "../../audit/audit-author";
import type { AuditEntry } from "../../audit/audit-record";
import { assertScope, type Caller, requireCaller } from "../../http/auth/authenticate";
import { readJson, readQuery } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { withIdempotency } from "../../http/idempotency/idempotency";
import { respondWithPageById } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { modelNameSchema } from "../../settings/check-model";
import { checkModelChoice } from "../../settings/check-model-choice";
import { requireSpace } from "../../storage/require-space";
import { MAX_DESCRIPTION_CHARACTERS, MAX_NAME_CHARACTERS } from "../../validation/field-limits";
import { slugSchema } from "../../validation/slug-schema";
import { accessField } from "../people/access-field";

const name = z.string().trim().min(1).max(MAX_NAME_CHARACTERS);
const settings = {
	description: z.string().max(MAX_DESCRIPTION_CHARACTERS).nullable().exactOptional(),
	llm_provider: modelNameSchema.nullable().exactOptional(),
	llm_model: modelNameSchema.nullable().exactOptional(),
};
const slug = slugSchema.exactOptional();
const createBody = z.strictObject({ name, slug, ...settings });
const updateBody = z.strictObject({
	name: name.exactOptional(),
	slug,
	...settings,
	access: accessField.exactOptional(),
});

const forceQuery = z.strictObject({ force: z.enum(["true", "false"]).exactOptional() });

/** Checks whether agents that name the knowledge base are no reason to refuse a change. */
const readForce = (context: ServiceContext): boolean => readQuery(context, forceQuery).force === "true";

type Update = Omit<z.output<typeof updateBody>, "access">;

const choosesModel = (body: Update): boolean => "llm_provider" in body || "llm_model" in body;

/**
 * Asserts that the caller may choose which model answers, because that choice costs money.
 *
 * @throws DomainError `missing_scope`
 */
function assertModelScope(caller: Caller, body: Update): void {
	if (choosesModel(body)) assertScope(caller, "settings:write");
}

/** @throws DomainError 404 for a knowledge base that does not exist, 422 as {@link checkModelChoice}. */
async function checkModels(context: ServiceContext, change: Update, id?: string): Promise<void> {
	if (!choosesModel(change)) return;
	const { knowledge, settings } = context.get("workspace");
	const previous = id === undefined ? {} : await knowledge.getKnowledgeBase(id);
	const workspace = (await settings.open())?.settings;
	checkModelChoice(change, { previous, workspace });
}

/** Entry for the audit log, where a change chooses a model. */
const toModelAudit = (
	context: ServiceContext,
	id: string,
	{ llm_provider, llm_model }: Update,
): AuditEntry | undefined =>
	llm_provider === undefined && llm_model === undefined
		? undefined
		: {
				...readAuthor(toScope(context)),
				action: "knowledge_base.models_changed",
				target: id,
				details: {
					...(llm_provider !== undefined && { llm_provider }),
					...(llm_model !== undefined && { llm_model }),
				},
			};

const described = {
	create: describeRoute({
		summary: "Create a knowledge base",
		body: createBody,
		isIdempotent: true,
		responses: { 201: "KnowledgeBase" },
		errors: [
			"slug_taken",
			"model_not_allowed",
			"provider_not_configured",
			"provider_not_supported",
			"region_mismatch",
			"quota_exceeded",
		],
		example: { name: "Handbook", description: "Rules of the company" },
	}),
	list: describeRoute({
		summary: "List knowledge bases",
		isList: true,
		responses: { 200: "KnowledgeBasePage" },
	}),
	get: describeRoute({
		summary: "Get a knowledge base",
		responses: { 200: "KnowledgeBase" },
		errors: ["knowledge_base_not_found"],
	}),
	change: describeRoute({
		summary: "Change a knowledge base",
		body: updateBody,
		query: forceQuery,
		responses: { 200: "KnowledgeBase" },
		errors: [
			"knowledge_base_not_found",
			"slug_taken",
			"knowledge_base_in_use",
			"model_not_allowed",
			"provider_not_configured",
			"provider_not_supported",
			"region_mismatch",
		],
		example: { description: "Rules of the company, 2026" },
	}),
	delete: describeRoute({
		summary: "Delete a knowledge base with its documents",
		query: forceQuery,
		responses: { 200: "Deleted" },
		errors: ["knowledge_base_not_found", "knowledge_base_in_use"],
	}),
};

/** `/v1/knowledge-bases`, without their documents. */
export function addKnowledgeBaseRoutes(app: ServiceApp): void {
	const requireRead = requireCaller({ scopes: ["knowledge:read"] });
	const requireWrite = requireCaller({ scopes: ["knowledge:write"] });

	app.post("/v1/knowledge-bases", described.create, requireWrite, async (context) => {
		await requireSpace(toScope(context));
		const body = await readJson(context, createBody);
		assertModelScope(context.get("caller"), body);
		const { knowledge } = context.get("workspace");
		return withIdempotency(context, body, async (toRecord) => {
			await checkModels(context, body);
			const created = await knowledge.createKnowledgeBase(body, (stored) => ({
				audit: toModelAudit(context, stored.id, body),
				request: toRecord({ status: 201, body: stored }),
			}));
			return { status: 201, body: created };
		});
	});

	app.get("/v1/knowledge-bases", described.list, requireRead, (context) =>
		respondWithPageById(context, async ({ limit, after }) => {
			const { knowledgeBaseIds: without } = await findHiddenItems(toScope(context));
			return context.get("workspace").knowledge.listKnowledgeBases({ limit: limit + 1, after, without });
		}),
	);

	app.get("/v1/knowledge-bases/:id", described.get, requireRead, async (context) =>
		context.json(await context.get("workspace").knowledge.getKnowledgeBase(context.req.param("id"))),
	);

	app.patch("/v1/knowledge-bases/:id", described.change, requireWrite, async (context) => {
		const { access, ...update } = await readJson(context, updateBody);
		assertModelScope(context.get("caller"), update);
		const { knowledge } = context.get("workspace");
		const isForced = readForce(context);
		const { id, slug, access: before } = await knowledge.getKnowledgeBase(context.req.param("id"));
		await assertAccessAllowed(toScope(context), access, before);
		await checkModels(context, update, id);
		if (!isForced && update.slug !== undefined && update.slug !== slug)
			await assertUnused(toScope(context), slug, [slug]);
		const audit = toModelAudit(context, id, update);
		const updated = await knowledge.updateKnowledgeBase(id, update, { audit });
		if (access === undefined) return context.json(updated);
		await changeAccess(toScope(context), { kind: "knowledge_base", id }, access);
		return context.json(await knowledge.getKnowledgeBase(id));
	});

	app.delete("/v1/knowledge-bases/:id", described.delete, requireWrite, async (context) => {
		const { knowledge } = context.get("workspace");
		const isForced = readForce(context);
		const { id, slug } = await knowledge.getKnowledgeBase(context.req.param("id"));
		if (!isForced) await assertUnused(toScope(context), slug, [id, slug]);
		await knowledge.deleteKnowledgeBase(id);
		return context.json({ id, deleted: true });
	});
}
