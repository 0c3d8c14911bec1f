import type { ListedModel as WireModel } from "@stemma/client";
import { quote } from "@stemma/core/internal";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import type { ListedModel } from "../../models/models";
import { type ListedResponder, listResponders } from "../../replies/list-responders";
import { formatResponderName } from "../../replies/responder-name";
import { HIDDEN_REASON } from "./resolve-models";

const described = {
	list: describeRoute({
		summary: "List models, and agents and knowledge bases as models",
		responses: { 200: "ModelList" },
		callsModels: true,
	}),
	get: describeRoute({
		summary: "Get a model",
		responses: { 200: "ListedModel" },
		errors: ["model_not_found"],
		callsModels: true,
	}),
};

/** `GET /v1/models` and `GET /v1/models/:id`, in OpenAI's shape: what would answer now. */
export function addModelRoutes(app: ServiceApp): void {
	const requireAsk = requireCaller({ scopes: ["ask", "agents:run"], clientKeys: true });
	app.get("/v1/models", described.list, requireAsk, async (context) => {
		const data = await listModels(context);
		return context.json({ object: "list", data });
	});
	// Names of models may have slashes, which not all clients escape. `resolve` is a route of its own.
	app.get("/v1/models/:id{(?!resolve$).+}", described.get, requireAsk, async (context) => {
		const id = context.req.param("id");
		const model = (await listModels(context)).find((listed) => listed.id === id);
		if (model !== undefined) return context.json(model);
		throw new DomainError("model_not_found", `There is no model ${quote(id)}.`, {
			param: "model",
			hint: "GET /v1/models lists those that can be chosen.",
		});
	});
}

/** Lists all that the caller may name as a model. */
async function listModels(context: ServiceContext): Promise<readonly WireModel[]> {
	const models = await listVendorModels(context);
	const responders = await listResponders(toScope(context));
	return [...models.map(toWireModel), ...responders.map(toWireResponder)];
}

async function listVendorModels(context: ServiceContext): Promise<readonly ListedModel[]> {
	const caller = context.get("caller");
	if (!caller.scopes.includes("ask") || (caller.kind === "client_key" && !caller.models)) return [];
	const workspace = await context.get("workspace").settings.open();
	const models = context.get("kernel").models.list({ workspace });
	return caller.kind !== "client_key"
		? models
		: models.filter(({ id }) => id === "default").map(withoutVendor);
}

/** A browser learns that there is a model, and not whose. */
const withoutVendor = (model: ListedModel): ListedModel => ({
	...model,
	model: model.id,
	vendorHost: "",
	reason: HIDDEN_REASON,
});

const toWireModel = ({ id, provider, model, vendorHost, payer, reason }: ListedModel): WireModel => ({
	id,
	object: "model",
	created: 0,
	owned_by: provider,
	stemma: { kind: "model", provider, model, vendor_host: vendorHost, payer, reason },
});

const toWireResponder = ({ kind, id, slug, name, createdAt }: ListedResponder): WireModel => ({
	id: formatResponderName(kind, slug),
	object: "model",
	created: Math.floor(createdAt / 1000),
	owned_by: "stemma",
	stemma: { kind, id, name },
});
