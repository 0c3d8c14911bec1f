import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson, readQuery } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { withIdempotency } from "../../http/idempotency/idempotency";
import { respondWithPageById } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { sourceCreateSchema, sourceUpdateSchema } from "../../sources/source-settings";
import { requireSpace } from "../../storage/require-space";

const PATH = "/v1/knowledge-bases/:id/sources";

const syncBody = z.strictObject({ force: z.boolean().exactOptional() });
const deleteQuery = z.strictObject({
	keep_documents: z
		.enum(["true", "false"])
		.transform((text) => text === "true")
		.exactOptional(),
});

const described = {
	list: describeRoute({
		summary: "List the sources of a knowledge base",
		isList: true,
		responses: { 200: "SourcePage" },
		errors: ["knowledge_base_not_found"],
	}),
	get: describeRoute({
		summary: "Get a source",
		responses: { 200: "Source" },
		errors: ["knowledge_base_not_found", "source_not_found"],
	}),
	listSyncs: describeRoute({
		summary: "List the syncs of a source",
		isList: true,
		responses: { 200: "SourceSyncPage" },
		errors: ["knowledge_base_not_found", "source_not_found"],
	}),
	create: describeRoute({
		summary: "Create a source of documents",
		body: sourceCreateSchema,
		isIdempotent: true,
		responses: { 201: "Source" },
		errors: [
			"knowledge_base_not_found",
			"too_many_sources",
			"quota_exceeded",
			"folder_not_allowed",
			"folder_not_found",
			"blocked_address",
			"invalid_settings",
			"insecure_base_url",
			"insecure_server_url",
			"server_url_not_plain",
			"secret_not_found",
			"credential_required",
			"encryption_not_configured",
		],
	}),
	change: describeRoute({
		summary: "Change a source",
		body: sourceUpdateSchema,
		responses: { 200: "Source" },
		errors: [
			"knowledge_base_not_found",
			"source_not_found",
			"source_kind_changed",
			"folder_not_allowed",
			"folder_not_found",
			"blocked_address",
			"invalid_settings",
			"insecure_base_url",
			"insecure_server_url",
			"server_url_not_plain",
			"secret_not_found",
			"credential_required",
			"encryption_not_configured",
		],
	}),
	delete: describeRoute({
		summary: "Delete a source",
		query: deleteQuery,
		responses: { 200: "Deleted" },
		errors: ["knowledge_base_not_found", "source_not_found"],
	}),
	start: describeRoute({
		summary: "Start a sync",
		body: syncBody,
		isIdempotent: true,
		responses: { 202: "SourceSync" },
		errors: ["knowledge_base_not_found", "source_not_found", "quota_exceeded"],
		example: {},
	}),
	cancel: describeRoute({
		summary: "Cancel the sync that is queued or running",
		responses: { 200: "SourceSync" },
		errors: ["knowledge_base_not_found", "source_not_found", "sync_not_running"],
	}),
};

/** `/v1/knowledge-bases/:id/sources`, with their syncs. */
export function addSourceRoutes(app: ServiceApp): void {
	addSourceChanges(app);
	addSyncRoutes(app);
	const requireRead = requireCaller({ scopes: ["knowledge:read"] });

	app.get(PATH, described.list, requireRead, (context) =>
		respondWithPageById(context, ({ limit, after }) =>
			context.get("workspace").sources.list(context.req.param("id"), { limit: limit + 1, after }),
		),
	);

	app.get(`${PATH}/:sourceId`, described.get, requireRead, async (context) => {
		const { id, sourceId } = context.req.param();
		return context.json(await context.get("workspace").sources.get(id, sourceId));
	});

	app.get(`${PATH}/:sourceId/syncs`, described.listSyncs, requireRead, (context) => {
		const { id, sourceId } = context.req.param();
		const { sources } = context.get("workspace");
		return respondWithPageById(context, ({ limit, after }) =>
			sources.listSyncs(id, sourceId, { limit: limit + 1, after }),
		);
	});
}

/** Lets the scheduler look at the workspace of a request. */
const wake = (context: ServiceContext): void =>
	context.get("kernel").syncScheduler.wake(context.get("workspace"));

function addSourceChanges(app: ServiceApp): void {
	const requireWrite = requireCaller({ scopes: ["knowledge:write"] });

	app.post(PATH, described.create, requireWrite, async (context) => {
		await requireSpace(toScope(context));
		const body = await readJson(context, sourceCreateSchema);
		const author = readAuthor(toScope(context));
		return withIdempotency(context, body, async (toRecord) => {
			const { sources } = context.get("workspace");
			const created = await sources.create(context.req.param("id"), body, author, (source) =>
				toRecord({ status: 201, body: source }),
			);
			wake(context);
			return { status: 201, body: created };
		});
	});

	app.patch(`${PATH}/:sourceId`, described.change, requireWrite, async (context) => {
		const update = await readJson(context, sourceUpdateSchema);
		const { id, sourceId } = context.req.param();
		const author = readAuthor(toScope(context));
		return context.json(await context.get("workspace").sources.update(id, sourceId, update, author));
	});

	app.delete(`${PATH}/:sourceId`, described.delete, requireWrite, async (context) => {
		const { keep_documents: keepsDocuments = false } = readQuery(context, deleteQuery);
		const { id, sourceId } = context.req.param();
		const author = readAuthor(toScope(context));
		await context.get("workspace").sources.delete(id, sourceId, keepsDocuments, author);
		wake(context);
		return context.json({ id: sourceId, deleted: true });
	});
}

function addSyncRoutes(app: ServiceApp): void {
	const requireWrite = requireCaller({ scopes: ["knowledge:write"] });

	app.post(`${PATH}/:sourceId/sync`, described.start, requireWrite, async (context) => {
		await requireSpace(toScope(context));
		const body = await readJson(context, syncBody);
		const { id, sourceId } = context.req.param();
		return withIdempotency(context, body, async () => {
			const sync = await context.get("workspace").sources.sync(id, sourceId, body);
			wake(context);
			return { status: 202, body: sync };
		});
	});

	app.post(`${PATH}/:sourceId/sync/cancel`, described.cancel, requireWrite, async (context) => {
		const { id, sourceId } = context.req.param();
		return context.json(await context.get("workspace").sources.cancelSync(id, sourceId));
	});
}
