import { quote } from "@stemma/core/internal";
import { assertMayCallModels } from "../../answering/client-key-limits";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import type { ListedModel } from "../../models/models";
import { HIDDEN_REASON } from "./resolve-models";

/** `GET /v1/models` and `GET /v1/models/:id`, in OpenAI's shape: what would answer now. */
export function addModelRoutes(app: ServiceApp): void {
	const requireAsk = requireCaller({ scopes: ["ask"], clientKeys: true });
	app.get("/v1/models", requireAsk, async (context) => {
		const data = await listModels(context);
		return context.json({ object: "list", data: data.map(toWireModel) });
	});
	// Names of models may have slashes, which not all clients escape. `resolve` is a route of its own.
	app.get("/v1/models/:id{(?!resolve$).+}", requireAsk, async (context) => {
		const id = context.req.param("id");
		const model = (await listModels(context)).find((listed) => listed.id === id);
		if (model !== undefined) return context.json(toWireModel(model));
		throw new DomainError("model_not_found", `There is no model ${quote(id)}.`, {
			param: "model",
			hint: "GET /v1/models lists those that can be chosen.",
		});
	});
}

async function listModels(context: ServiceContext): Promise<readonly ListedModel[]> {
	const caller = context.get("caller");
	assertMayCallModels(caller);
	const workspace = await context.get("workspace").settings.open();
	const models = context.get("kernel").models.list({ workspace });
	return caller.kind === "client" ? models : models.filter(({ id }) => id === "default").map(withoutVendor);
}

/** A browser learns that there is a model, and not whose. */
const withoutVendor = (model: ListedModel): ListedModel => ({
	...model,
	model: model.id,
	vendorHost: "",
	reason: HIDDEN_REASON,
});

const toWireModel = ({ id, provider, model, vendorHost, payer, reason }: ListedModel): object => ({
	id,
	object: "model",
	created: 0,
	owned_by: provider,
	stemma: { provider, model, vendor_host: vendorHost, payer, reason },
});
