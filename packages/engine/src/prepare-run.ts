import { type JsonObject, type RunError, StemmaError } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
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
	graph: CompiledGraph,
	models: ModelPort,
	runId: string,
	options: PortCallOptions,
): Promise<ByIndex<ResolvedModel> | RunError> {
	return models.resolveAll === undefined
		? resolveOneByOne(graph, models, runId, options)
		: resolveTogether(graph, models, runId, options);
}

/** By a port that decides about all nodes at once: its error is the run's. */
async function resolveTogether(
	{ modelNodes, knowledgeBases }: CompiledGraph,
	models: ModelPort,
	runId: string,
	options: PortCallOptions,
): Promise<ByIndex<ResolvedModel> | RunError> {
	const nodes = modelNodes.map(toNodeRequest);
	try {
		const found = await models.resolveAll?.({ runId, nodes, knowledgeBases }, options);
		const resolved: ResolvedModel[] = [];
		for (const [place, { index }] of modelNodes.entries())
			resolved[index] = checkResolvedModel(found?.[place]);
		return resolved;
	} catch (error) {
		return toRefusal(error);
	}
}

const toNodeRequest = ({ id, turns }: CompiledNode): Pick<ModelRequest, "node" | "choice"> => {
	const choice = turns?.node.model;
	return choice === undefined ? { node: id } : { node: id, choice };
};

/** With the details of an error that has some: they list what was refused. */
function toRefusal(error: unknown): RunError {
	const refusal = toRunError(error, "model_refused");
	const details = StemmaError.is(error) && "details" in error ? error.details : undefined;
	return isJsonObject(details) ? { ...refusal, details: details as JsonObject } : refusal;
}

async function resolveOneByOne(
	{ modelNodes, knowledgeBases }: CompiledGraph,
	models: ModelPort,
	runId: string,
	options: PortCallOptions,
): Promise<ByIndex<ResolvedModel> | RunError> {
	const asked = modelNodes.map((node) =>
		resolveModel({ runId, ...toNodeRequest(node), knowledgeBases }, models, options),
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
