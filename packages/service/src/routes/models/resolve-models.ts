import type { ResolvedModel } from "@stemma/engine";
import * as z from "zod";
import { assertMayCallModels } from "../../answering/client-key-limits";
import { resolveKnowledgeBases } from "../../answering/retrieval/knowledge-base-selection";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { toModelRequest } from "../../models/model-request";
import type { ModelRequest, Models } from "../../models/models";
import { planRewrite, resolveRewrite } from "../../models/plan-rewrite";
import { type RunModelRequest, type RunNode, resolveRun } from "../../models/resolve-run";
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
				stage: z.literal("rewrite").exactOptional(),
				provider: modelNameSchema.exactOptional(),
				model: modelNameSchema.exactOptional(),
			}),
		)
		.min(1)
		.max(MAX_NODES),
	knowledge_base_ids: z.array(z.string()).max(MAX_KNOWLEDGE_BASES).default([]),
});

const description = describeRoute({
	summary: "Resolve which models answer, and who pays",
	body: resolveBody,
	responses: { 200: "ResolvedModels" },
	errors: ["knowledge_base_not_found", "not_allowed_for_client_key"],
	callsModels: true,
	example: { nodes: [{ node: "clerk" }] },
});

/**
 * `POST /v1/models/resolve`: who answers and who pays, for all nodes of a run that goes on elsewhere. Decided by
 * `resolveRun`, as for the service's own runs, and for searches by `planRewrite`, as when they search. Calls nobody and
 * costs nothing.
 */
export function addResolveModelsRoute(app: ServiceApp): void {
	const requireAsk = requireCaller({ scopes: ["ask"], clientKeys: true });
	app.post("/v1/models/resolve", description, requireAsk, async (context) => {
		const caller = context.get("caller");
		assertMayCallModels(caller);
		const body = await readJson(context, resolveBody);
		const scope = toScope(context);
		const knowledgeBases = await resolveKnowledgeBases(scope, body.knowledge_base_ids);
		const request = await toModelRequest(scope, knowledgeBases);
		const visibility = visibilityOf(caller);
		const { models } = context.get("kernel");
		const { findPrice } = models;
		const resolved = resolveNodes(models, body.nodes, request);
		return context.json({
			data: resolved.map(({ node, stage, ...model }) => ({
				node,
				...(stage !== undefined && { stage }),
				...toWire(model, visibility, findPrice),
			})),
		});
	});
}

type RequestedNode = z.output<typeof resolveBody>["nodes"][number];

/** Model of a node; its names are empty where no call is made. */
interface NamedModel extends Pick<ResolvedModel, "payer" | "reason"> {
	readonly model: Pick<ResolvedModel["model"], "provider" | "model" | "vendorHost">;
}

interface ResolvedNode extends NamedModel {
	readonly node: string;
	readonly stage: RequestedNode["stage"] | undefined;
}

/** Resolves the models that answer for nodes, and those that make queries for them. */
function resolveNodes(
	models: Models,
	nodes: readonly RequestedNode[],
	request: RunModelRequest,
): readonly ResolvedNode[] {
	const answering = nodes.filter(({ stage }) => stage === undefined);
	const resolved = resolveRun(models, answering.map(toRunNode), request);
	const answers = new Map(answering.map((node, index) => [node, resolved[index]]));
	return nodes.map((requested) => {
		const { node, stage } = requested;
		const rewrite = () => toRewrite(models, { ...request, choice: toRunNode(requested).choice });
		return { node, stage, ...(answers.get(requested) ?? rewrite()) };
	});
}

/** Resolves the model that makes the queries of a search; it is planned as at the search. */
function toRewrite(models: Models, request: ModelRequest): NamedModel {
	const { row, reason } = planRewrite(models, request);
	return row === undefined
		? { model: { provider: "", model: "", vendorHost: "" }, payer: "none", reason }
		: resolveRewrite(models, request, row);
}

const toRunNode = ({ node, stage: _, ...choice }: RequestedNode): RunNode =>
	choice.provider === undefined && choice.model === undefined ? { node } : { node, choice };

/** A caller that sees answers alone learns who pays, and not whose model it is. */
function toWire(
	{ model: { provider, model, vendorHost }, payer, reason }: NamedModel,
	visibility: Visibility,
	findPrice: Models["findPrice"],
) {
	if (visibility === "answer")
		return { provider, model: "default", vendor_host: "", payer, reason: HIDDEN_REASON };
	const price = payer === "none" ? undefined : findPrice({ model, vendor_host: vendorHost });
	return { provider, model, vendor_host: vendorHost, payer, reason, ...(price && { price }) };
}

/** Said in place of a reason to those who see answers alone. */
export const HIDDEN_REASON = "The reason is shown only to clients of the workspace.";
