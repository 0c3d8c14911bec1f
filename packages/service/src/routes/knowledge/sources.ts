import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson, readQuery } from "../../http/body/read-json";
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

/** `/v1/knowledge-bases/:id/sources`, with their syncs. */
export function addSourceRoutes(app: ServiceApp): void {
	addSourceChanges(app);
	addSyncRoutes(app);
	const requireRead = requireCaller({ scopes: ["knowledge:read"] });

	app.get(PATH, requireRead, (context) =>
		respondWithPageById(context, ({ limit, after }) =>
			context.get("workspace").sources.list(context.req.param("id"), { limit: limit + 1, after }),
		),
	);

	app.get(`${PATH}/:sourceId`, requireRead, async (context) => {
		const { id, sourceId } = context.req.param();
		return context.json(await context.get("workspace").sources.get(id, sourceId));
	});

	app.get(`${PATH}/:sourceId/syncs`, requireRead, (context) => {
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

	app.post(PATH, requireWrite, async (context) => {
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

	app.patch(`${PATH}/:sourceId`, requireWrite, async (context) => {
		const update = await readJson(context, sourceUpdateSchema);
		const { id, sourceId } = context.req.param();
		const author = readAuthor(toScope(context));
		return context.json(await context.get("workspace").sources.update(id, sourceId, update, author));
	});

	app.delete(`${PATH}/:sourceId`, requireWrite, async (context) => {
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

	app.post(`${PATH}/:sourceId/sync`, requireWrite, async (context) => {
		await requireSpace(toScope(context));
		const body = await readJson(context, syncBody);
		const { id, sourceId } = context.req.param();
		return withIdempotency(context, body, async () => {
			const sync = await context.get("workspace").sources.sync(id, sourceId, body);
			wake(context);
			return { status: 202, body: sync };
		});
	});

	app.post(`${PATH}/:sourceId/sync/cancel`, requireWrite, async (context) => {
		const { id, sourceId } = context.req.param();
		return context.json(await context.get("workspace").sources.cancelSync(id, sourceId));
	});
}
