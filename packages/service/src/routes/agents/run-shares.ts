import type { Deleted, RunShareCreate } from "@stemma/client";
import * as z from "zod";
import { createId } from "../../create-id";
import { requireCaller } from "../../http/auth/authenticate";
import { readPublicOrigin } from "../../http/auth/public-origin";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { createOnce } from "../../http/idempotency/create-once";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { toPageOrigin } from "../../people/sign-in-links";
import type { RunShareRepository } from "../../run-shares/run-share-repository";
import { createRunShares } from "../../run-shares/run-shares";
import { REQUIRED_FIELDS, SHARE_FIELDS } from "../../run-shares/share-fields";
import { MAX_SHARE_HOURS } from "../../run-shares/share-limits";
import { getRun } from "./runs";

const shareBody = z.strictObject({
	fields: z
		.array(z.enum(SHARE_FIELDS))
		.min(1)
		.max(SHARE_FIELDS.length)
		.superRefine((fields, { addIssue }) => {
			for (const field of fields) {
				const required = REQUIRED_FIELDS[field];
				if (required !== undefined && !fields.includes(required))
					addIssue({ code: "custom", message: `"${field}" needs "${required}", too` });
			}
		}),
	expires_in_hours: z.int().min(1).max(MAX_SHARE_HOURS).exactOptional(),
}) satisfies z.ZodType<RunShareCreate>;

const listQuery = z.strictObject({ run_id: z.string().max(100).exactOptional() });
const PATH = "/v1/shares";

const described = {
	create: describeRoute({
		summary: "Create a link to a run",
		body: shareBody,
		isIdempotent: true,
		responses: { 201: "CreatedRunShare" },
		errors: ["run_not_found", "run_not_ended", "too_many_shares"],
	}),
	list: describeRoute({
		summary: "List links to runs",
		isList: true,
		query: listQuery,
		responses: { 200: "RunSharePage" },
	}),
	delete: describeRoute({
		summary: "Revoke a link to a run",
		responses: { 200: "Deleted" },
		errors: ["share_not_found"],
	}),
};

/** `/v1/runs/:id/shares` and `/v1/shares`: links by which people see parts of a run without signing in. */
export function addRunShareRoutes(app: ServiceApp, repository: RunShareRepository): void {
	// Whoever sees a run: people, and clients.
	const requireRead = requireCaller({ scopes: ["agents:run", "runs:approve"] });

	app.post("/v1/runs/:id/shares", described.create, requireRead, async (context) => {
		context.header("cache-control", "no-store");
		const body = await readJson(context, shareBody);
		const run = await getRun(context);
		const origin = toPageOrigin(readPublicOrigin(context));
		const { create, exists } = createRunShares(toScope(context), repository);
		const created = await createOnce(context, body, {
			id: createId("shr"),
			exists,
			create: (id) => create(id, run, body, origin),
		});
		return context.json(created, 201);
	});

	app.get(PATH, described.list, requireRead, (context) =>
		respondWithPage(context, {
			query: listQuery,
			list: (page, { run_id }) =>
				createRunShares(toScope(context), repository).list({ ...page, runId: run_id }),
			cursorOf: ({ id }) => id,
		}),
	);

	app.delete(`${PATH}/:id`, described.delete, requireRead, async (context) => {
		const id = context.req.param("id");
		await createRunShares(toScope(context), repository).revoke(id);
		return context.json({ id, deleted: true } satisfies Deleted);
	});
}
