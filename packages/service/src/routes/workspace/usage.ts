import type { Usage } from "@stemma/client";
import * as z from "zod";
import { requireCaller } from "../../http/auth/authenticate";
import { readQuery } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp } from "../../http/service-context";
import { readStorageUsage } from "../../storage/storage-use";
import { isDay } from "../../usage/day";
import { readUsage } from "../../usage/read-usage";
import { resolveRange } from "../../usage/usage-range";
import { userIdField } from "../people/people-fields";

const day = z.string().refine(isDay, "must be a day such as 2026-01-31");

const usageQuery = z.strictObject({
	from: day.exactOptional(),
	to: day.exactOptional(),
	payer: z.enum(["workspace", "deployment", "none", "external"]).exactOptional(),
	stage: z.enum(["rewrite", "embed", "score", "answer", "index"]).exactOptional(),
	user_id: userIdField.exactOptional(),
	group_by: z.enum(["user"]).exactOptional(),
});

const description = describeRoute({
	summary: "Sum up tokens by day, payer, stage and model",
	query: usageQuery,
	responses: { 200: "Usage" },
});

/** `GET /v1/usage`: receipts, summed by day, payer, stage and model, also by user, and how much is stored now. */
export function addUsageRoute(app: ServiceApp): void {
	app.get("/v1/usage", description, requireCaller({ scopes: ["settings:read"] }), async (context) => {
		const { from, to, ...filter } = readQuery(context, usageQuery);
		const range = resolveRange({ ...(from && { from }), ...(to && { to }) });
		const { usage, storage: storageRepository } = context.get("workspace").store;
		const data = await readUsage(usage, { ...range, ...filter });
		const storage = await readStorageUsage(storageRepository, context.get("kernel").limits);
		return context.json({ ...range, data, storage } satisfies Usage);
	});
}
