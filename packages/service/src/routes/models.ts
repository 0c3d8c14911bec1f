import { demandModels } from "../answering/caller-limits";
import { requireCaller } from "../http/authenticate";
import type { ServiceApp } from "../http/service-app";
import type { ListedModel } from "../models/models";
import { WORKSPACE_MATTER } from "./resolve-models";

/** `GET /v1/models`, in OpenAI's shape: what would answer now. */
export function addModelRoutes(app: ServiceApp): void {
	app.get("/v1/models", requireCaller({ scopes: ["ask"], clientKeys: true }), async (context) => {
		const caller = context.get("caller");
		demandModels(caller);
		const workspace = await context.get("workspace").settings.open();
		const models = context.get("kernel").models.list({ workspace });
		const data =
			caller.kind === "client" ? models : models.filter(({ id }) => id === "default").map(withoutVendor);
		return context.json({ object: "list", data: data.map(toWireModel) });
	});
}

/** A browser learns that there is a model, and not whose. */
const withoutVendor = (model: ListedModel): ListedModel => ({
	...model,
	model: model.id,
	vendorHost: "",
	reason: WORKSPACE_MATTER,
});

const toWireModel = ({ id, provider, model, vendorHost, payer, reason }: ListedModel): object => ({
	id,
	object: "model",
	created: 0,
	owned_by: provider,
	stemma: { provider, model, vendor_host: vendorHost, payer, reason },
});
