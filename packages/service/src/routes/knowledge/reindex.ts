import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { assertScope, requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { withIdempotency } from "../../http/idempotency/idempotency";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { modelNameSchema } from "../../settings/check-model";
import { requireSpace } from "../../storage/require-space";

const PATH = "/v1/knowledge-bases/:id/reindex";

const body = z
	.strictObject({
		to: modelNameSchema.exactOptional(),
		undo: z.boolean().exactOptional(),
		payer: z.enum(["workspace", "deployment", "none", "external"]).exactOptional(),
		dry_run: z.boolean().exactOptional(),
	})
	.refine(({ to, undo }) => to === undefined || undo !== true, {
		path: ["undo"],
		message: "is not allowed together with `to`",
	});

const described = {
	move: describeRoute({
		summary: "Move a knowledge base to another embedding model, or plan it",
		body,
		isIdempotent: true,
		responses: { 200: "Reindex", 202: "Reindex" },
		errors: [
			"knowledge_base_not_found",
			"missing_scope",
			"reindex_not_found",
			"reindex_not_needed",
			"reindex_running",
			"nothing_to_undo",
			"payer_changed",
			"embedding_space_changed",
			"embeddings_not_configured",
			"model_not_allowed",
			"quota_exceeded",
		],
		callsModels: true,
		example: { dry_run: true },
	}),
	get: describeRoute({
		summary: "Get the move of a knowledge base",
		responses: { 200: "Reindex" },
		errors: ["knowledge_base_not_found"],
	}),
	drop: describeRoute({
		summary: "Drop the vectors of the previous embedding model",
		responses: { 200: "Reindex" },
		errors: [
			"knowledge_base_not_found",
			"missing_scope",
			"reindex_not_found",
			"reindex_not_needed",
			"reindex_running",
			"nothing_to_undo",
			"payer_changed",
			"embedding_space_changed",
			"embeddings_not_configured",
			"model_not_allowed",
		],
	}),
};

/** `/v1/knowledge-bases/:id/reindex`: the move of a knowledge base to another embedding space. */
export function addReindexRoutes(app: ServiceApp): void {
	const requireWrite = requireCaller({ scopes: ["knowledge:write"] });

	app.post(PATH, described.move, requireWrite, async (context) => {
		// A move costs money, as the choice of a model does; so do the vectors that a deletion gives up.
		assertScope(context.get("caller"), "settings:write");
		await requireSpace(toScope(context));
		const { dry_run: isPlan = false, ...request } = await readJson(context, body);
		const id = context.req.param("id");
		const { knowledge } = context.get("workspace");
		if (isPlan) return context.json(await knowledge.planReindex(id, request));
		return withIdempotency(context, request, async () => ({
			status: 202,
			body: await knowledge.startReindex(id, request, readAuthor(toScope(context))),
		}));
	});

	app.get(PATH, described.get, requireCaller({ scopes: ["knowledge:read"] }), async (context) =>
		context.json(await context.get("workspace").knowledge.getReindex(context.req.param("id"))),
	);

	app.delete(PATH, described.drop, requireWrite, async (context) => {
		assertScope(context.get("caller"), "settings:write");
		const author = readAuthor(toScope(context));
		return context.json(
			await context.get("workspace").knowledge.dropReindex(context.req.param("id"), author),
		);
	});
}
