import type { JsonObject, RunError } from "@stemma/core";
import type { CompiledGraph, CompiledNode } from "./compiled-graph";
import { fillInstructions, findTemplateProblem, nameInstructions } from "./instruction-template";
import { checkResolvedModel } from "./port-results";
import type { ModelPort, ModelRequest, PortCallOptions, ResolvedModel } from "./ports";
import type { ByIndex, RunState } from "./run-state";
import { toRunError } from "./to-run-error";

/** Why the instructions cannot be filled from this context, all reasons at once. */
export function findContextProblem({ modelNodes }: CompiledGraph, context: JsonObject): RunError | undefined {
	const problems = modelNodes.flatMap(({ id, turns }) => {
		const paths = new Set(turns?.instructions?.paths);
		const own = [...paths].flatMap((path) => findTemplateProblem(path, context) ?? []);
		return own.length === 0 ? [] : [`the instructions of "${id}" need it, but ${own.join(", ")}`];
	});
	if (problems.length === 0) return undefined;
	return {
		code: "context_invalid",
		message: `The run's context does not fit: ${problems.join("; ")}.`,
		hint: "Pass the missing values in `context`.",
	};
}

/** The system messages that the context fills. */
export function fillSystems({ graph, context, untrustedContext }: RunState): ByIndex<string> {
	const systems: string[] = [];
	for (const { index, turns } of graph.modelNodes) {
		if (turns?.instructions === undefined || turns.system !== undefined) continue;
		const { instructions } = turns;
		systems[index] = untrustedContext
			? nameInstructions(instructions)
			: fillInstructions(instructions, context);
	}
	return systems;
}

/** Who answers for each model node; or one error with every refusal. */
export async function resolveModels(
	{ modelNodes, knowledgeBases }: CompiledGraph,
	models: ModelPort,
	runId: string,
	options: PortCallOptions,
): Promise<ByIndex<ResolvedModel> | RunError> {
	const asked = modelNodes.map((node) =>
		resolveModel(toRequest(node, runId, knowledgeBases), models, options),
	);
	const resolved: ResolvedModel[] = [];
	const refusals: Refusal[] = [];
	for (const [place, { id, index }] of modelNodes.entries()) {
		// None of them rejects.
		const outcome = await asked[place];
		if (outcome === undefined) continue;
		if ("error" in outcome) refusals.push({ node: id, error: outcome.error });
		else resolved[index] = outcome.resolved;
	}
	return refusals.length === 0 ? resolved : joinRefusals(refusals, "model");
}

export interface Refusal {
	readonly node: string;
	readonly error: RunError;
}

function toRequest(
	{ id, turns }: CompiledNode,
	runId: string,
	knowledgeBases: readonly string[],
): ModelRequest {
	const model = turns?.node.model;
	return model === undefined
		? { runId, node: id, knowledgeBases }
		: { runId, node: id, knowledgeBases, choice: model };
}

async function resolveModel(
	request: ModelRequest,
	models: ModelPort,
	options: PortCallOptions,
): Promise<{ readonly resolved: ResolvedModel } | { readonly error: RunError }> {
	try {
		return { resolved: checkResolvedModel(await models.resolve(request, options)) };
	} catch (error) {
		return { error: toRunError(error, "model_refused") };
	}
}

/** One error for all nodes that cannot have what they need. */
export function joinRefusals(refusals: readonly Refusal[], lacking: "model" | "tool"): RunError {
	const message = refusals.map(({ node, error }) => `"${node}": ${error.message}`).join(" ");
	return {
		...(refusals[0]?.error ?? { code: `${lacking}_refused` }),
		message: `No ${lacking} for ${message}`,
	};
}
