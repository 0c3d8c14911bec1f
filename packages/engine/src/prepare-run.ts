import type { JsonObject, RunError } from "@stemma/core";
import type { CompiledGraph, CompiledNode } from "./compiled-graph";
import { fillInstructions, findTemplateProblem, nameInstructions } from "./instruction-template";
import { checkResolvedModel } from "./port-results";
import type { ModelPort, ModelRequest, PortCallOptions, ResolvedModel } from "./ports";
import type { RunState } from "./run-state";
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

/** The system message of each model node that has instructions, by node id. */
export function fillSystems({ graph, context, untrustedContext }: RunState): Map<string, string> {
	const systems = new Map<string, string>();
	for (const { id, turns } of graph.reachable) {
		if (turns?.instructions === undefined) continue;
		const { instructions } = turns;
		systems.set(
			id,
			untrustedContext ? nameInstructions(instructions) : fillInstructions(instructions, context),
		);
	}
	return systems;
}

/** Who answers for each model node, by node id; or one error with every refusal. */
export async function resolveModels(
	{ reachable }: CompiledGraph,
	models: ModelPort,
	runId: string,
	options: PortCallOptions,
): Promise<Map<string, ResolvedModel> | RunError> {
	const knowledgeBases = listKnowledgeBases(reachable);
	const requests = reachable.flatMap((node) => toRequest(node, runId, knowledgeBases));
	const outcomes = await Promise.all(requests.map((request) => resolveModel(request, models, options)));
	const resolved = new Map<string, ResolvedModel>();
	const refusals: Refusal[] = [];
	for (const outcome of outcomes)
		if ("error" in outcome) refusals.push(outcome);
		else resolved.set(outcome.node, outcome.resolved);
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
): ModelRequest[] {
	if (turns === undefined) return [];
	const { model } = turns.node;
	return [{ runId, node: id, knowledgeBases, ...(model === undefined ? {} : { choice: model }) }];
}

async function resolveModel(
	request: ModelRequest,
	models: ModelPort,
	options: PortCallOptions,
): Promise<{ readonly node: string; readonly resolved: ResolvedModel } | Refusal> {
	const { node } = request;
	try {
		return { node, resolved: checkResolvedModel(await models.resolve(request, options)) };
	} catch (error) {
		return { node, error: toRunError(error, "model_refused") };
	}
}

function listKnowledgeBases(nodes: readonly CompiledNode[]): string[] {
	const ids = nodes.flatMap(({ definition }) =>
		definition.kind === "knowledge" ? definition.knowledgeBases : [],
	);
	return [...new Set(ids)];
}

/** One error for all nodes that cannot have what they need. */
export function joinRefusals(refusals: readonly Refusal[], lacking: "model" | "tool"): RunError {
	const message = refusals.map(({ node, error }) => `"${node}": ${error.message}`).join(" ");
	return {
		...(refusals[0]?.error ?? { code: `${lacking}_refused` }),
		message: `No ${lacking} for ${message}`,
	};
}
