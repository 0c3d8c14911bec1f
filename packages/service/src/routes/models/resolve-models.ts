import type { ResolvedModel } from "@stemma/engine";
import * as z from "zod";
import { assertMayCallModels } from "../../answering/client-key-limits";
import { resolveKnowledgeBases } from "../../answering/knowledge-base-selection";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { toModelRequest } from "../../models/model-request";
import { type RunNode, resolveRun } from "../../models/resolve-run";
import { type Visibility, visibilityOf } from "../../runs/visibility";
import { modelNameSchema } from "../../settings/check-model";

/** The most items that a list of a JSON body may have: no graph that can be stored has more nodes. */
const MAX_NODES = 50_000;
const MAX_KNOWLEDGE_BASES = 1000;

const resolveBody = z.strictObject({
	nodes: z
		.array(
			z.strictObject({
				node: z.string().min(1).max(200),
				provider: modelNameSchema.exactOptional(),
				model: modelNameSchema.exactOptional(),
			}),
		)
		.min(1)
		.max(MAX_NODES),
	knowledge_base_ids: z.array(z.string()).max(MAX_KNOWLEDGE_BASES).default([]),
});

/**
 * `POST /v1/models/resolve`: who answers and who pays, for all nodes of a run that goes on elsewhere. Decided by
 * `resolveRun`, as for the service's own runs. Calls nobody and costs nothing.
 */
export function addResolveModelsRoute(app: ServiceApp): void {
	const requireAsk = requireCaller({ scopes: ["ask"], clientKeys: true });
	app.post("/v1/models/resolve", requireAsk, async (context) => {
		const caller = context.get("caller");
		assertMayCallModels(caller);
		const body = await readJson(context, resolveBody);
		const scope = toScope(context);
		const knowledgeBases = await resolveKnowledgeBases(scope, body.knowledge_base_ids);
		const nodes = body.nodes.map(toRunNode);
		const request = await toModelRequest(scope, knowledgeBases);
		const resolved = resolveRun(context.get("kernel").models, nodes, request);
		const visibility = visibilityOf(caller);
		return context.json({
			data: resolved.map((model, index) => ({ node: nodes[index]?.node, ...toWire(model, visibility) })),
		});
	});
}

const toRunNode = ({ node, ...choice }: z.output<typeof resolveBody>["nodes"][number]): RunNode =>
	choice.provider === undefined && choice.model === undefined ? { node } : { node, choice };

/** A caller that sees answers alone learns who pays, and not whose model it is. */
function toWire(
	{ model: { provider, model, vendorHost }, payer, reason }: ResolvedModel,
	visibility: Visibility,
) {
	return visibility === "answer"
		? { provider, model: "default", vendor_host: "", payer, reason: HIDDEN_REASON }
		: { provider, model, vendor_host: vendorHost, payer, reason };
}

/** Said in place of a reason to those who see answers alone. */
export const HIDDEN_REASON = "The reason is shown only to clients of the workspace.";
