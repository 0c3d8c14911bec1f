import { requireCaller } from "../http/authenticate";
import type { ServiceApp } from "../http/service-app";

/** `GET /v1/models`, in OpenAI's shape. */
export function addModelRoutes(app: ServiceApp): void {
	app.get("/v1/models", requireCaller({ scopes: ["ask"], clientKeys: true }), (context) => {
		const data = context
			.get("kernel")
			.models.list()
			.map(({ id, provider, model, vendorHost, payer, reason }) => ({
				id,
				object: "model",
				created: 0,
				owned_by: provider,
				stemma: { provider, model, vendor_host: vendorHost, payer, reason },
			}));
		return context.json({ object: "list", data });
	});
}
