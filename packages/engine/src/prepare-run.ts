import type { JsonObject, RunError } from "@stemma/core";
import type { CompiledGraph, CompiledNode } from "./compiled-graph";
import { fillInstructions, findTemplateProblem } from "./instruction-template";
import type { ModelPort, ModelRequest, ResolvedModel } from "./ports";
import { toRunError } from "./to-run-error";

/** Why the instructions cannot be filled from this context, all reasons at once. */
export function findContextProblem({ reachable }: CompiledGraph, context: JsonObject): RunError | undefined {
	const problems = reachable.flatMap(({ id, turns }) =>
		(turns?.instructions?.paths ?? []).flatMap((path) => {
			const problem = findTemplateProblem(path, context);
			return problem === undefined ? [] : [`the instructions of "${id}" need it, but ${problem}`];
		}),
	);
	if (problems.length === 0) return undefined;
	return {
		code: "context_invalid",
		message: `The run's context does not fit: ${[...new Set(problems)].join("; ")}.`,
		hint: "Pass the missing values in `context`.",
	};
}

/** The system message of each model node that has instructions. */
export function fillSystems({ reachable }: CompiledGraph, context: JsonObject): Map<CompiledNode, string> {
	const systems = new Map<CompiledNode, string>();
	for (const node of reachable) {
		const template = node.turns?.instructions;
		if (template !== undefined) systems.set(node, fillInstructions(template, context));
	}
	return systems;
}

/** Who answers for each model node; decided before the first call, so that a refusal costs nothing. */
export async function resolveModels(
	{ reachable }: CompiledGraph,
	models: ModelPort,
): Promise<Map<CompiledNode, ResolvedModel> | RunError> {
	const knowledgeBases = listKnowledgeBases(reachable);
	const nodes = reachable.filter(({ turns }) => turns !== undefined);
	const outcomes = await Promise.all(nodes.map((node) => resolveModel(node, models, knowledgeBases)));
	const resolved = new Map<CompiledNode, ResolvedModel>();
	const refusals: { readonly node: string; readonly error: RunError }[] = [];
	for (const [index, outcome] of outcomes.entries()) {
		const node = nodes[index];
		if (node === undefined) continue;
		if ("refusal" in outcome) refusals.push({ node: node.id, error: outcome.refusal });
		else resolved.set(node, outcome);
	}
	return refusals.length === 0 ? resolved : joinRefusals(refusals);
}

async function resolveModel(
	{ id, turns }: CompiledNode,
	models: ModelPort,
	knowledgeBases: readonly string[],
): Promise<ResolvedModel | { readonly refusal: RunError }> {
	const choice = turns?.node.model;
	const request: ModelRequest = { node: id, knowledgeBases, ...(choice === undefined ? {} : { choice }) };
	try {
		return await models.resolve(request);
	} catch (error) {
		return { refusal: toRunError(error, "model_refused") };
	}
}

function listKnowledgeBases(nodes: readonly CompiledNode[]): string[] {
	const ids = nodes.flatMap(({ definition }) =>
		definition.kind === "knowledge" ? definition.knowledgeBases : [],
	);
	return [...new Set(ids)];
}

function joinRefusals(refusals: readonly { readonly node: string; readonly error: RunError }[]): RunError {
	const [first] = refusals;
	const message = refusals.map(({ node, error }) => `"${node}": ${error.message}`).join(" ");
	return { ...(first?.error ?? { code: "model_refused" }), message: `No model for ${message}` };
}
