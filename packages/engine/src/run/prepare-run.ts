import { type JsonObject, type RunError, StemmaError } from "@stemma/core";
import { copyJson, isJsonObject } from "@stemma/core/internal";
import type { CompiledGraph, CompiledNode } from "../graph/compiled-graph";
import {
	fillInstructions,
	fillInstructionsWithNames,
	findTemplateProblem,
} from "../graph/instruction-template";
import { checkResolvedModel } from "../io/port-results";
import type { ModelPort, ModelRequest, PortCallOptions, ResolvedModel } from "../io/ports";
import { toRunError } from "../io/to-run-error";
import type { ByIndex } from "./command";
import type { RunState } from "./run-state";

/** Returns why the instructions cannot be filled from this context, with all reasons at once. */
export function findContextProblem({ templates }: CompiledGraph, context: JsonObject): RunError | undefined {
	const problems = templates.flatMap(({ id, template }) => {
		const own = [...new Set(template.paths)].flatMap((path) => findTemplateProblem(path, context) ?? []);
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
export function fillSystemMessages({ graph, context, untrustedContext }: RunState): ByIndex<string> {
	const systemMessages: string[] = [];
	for (const { index, template } of graph.templates)
		systemMessages[index] = untrustedContext
			? fillInstructionsWithNames(template)
			: fillInstructions(template, context);
	return systemMessages;
}

/** Resolves the model of each model node, or returns one error that lists every failure. */
export async function resolveModels(
	graph: CompiledGraph,
	models: ModelPort,
	runId: string,
	options: PortCallOptions,
): Promise<ByIndex<ResolvedModel> | RunError> {
	return models.resolveAll === undefined
		? resolveEach(graph, models, runId, options)
		: resolveBatch(graph, models, runId, options);
}

/** Resolves the models through a port that decides about all nodes at once: its error is the run's. */
async function resolveBatch(
	{ modelNodes, knowledgeBases }: CompiledGraph,
	models: ModelPort,
	runId: string,
	options: PortCallOptions,
): Promise<ByIndex<ResolvedModel> | RunError> {
	const nodes = modelNodes.map(toNodeRequest);
	try {
		const found = await models.resolveAll?.({ runId, nodes, knowledgeBases }, options);
		const resolved: ResolvedModel[] = [];
		for (const [position, { index }] of modelNodes.entries())
			resolved[index] = checkResolvedModel(found?.[position]);
		return resolved;
	} catch (error) {
		return toModelError(error);
	}
}

const toNodeRequest = ({ id, modelSettings }: CompiledNode): Pick<ModelRequest, "node" | "choice"> => {
	const choice = modelSettings?.node.model;
	return choice === undefined ? { node: id } : { node: id, choice };
};

/** Converts an error to a run error, and keeps its details: they list what was refused. */
function toModelError(error: unknown): RunError {
	const runError = toRunError(error, "model_refused");
	const details = StemmaError.is(error) && "details" in error ? copyJson(error.details, []) : undefined;
	return isJsonObject(details) ? { ...runError, details } : runError;
}

async function resolveEach(
	{ modelNodes, knowledgeBases }: CompiledGraph,
	models: ModelPort,
	runId: string,
	options: PortCallOptions,
): Promise<ByIndex<ResolvedModel> | RunError> {
	const pending = modelNodes.map((node) =>
		resolveModel({ runId, ...toNodeRequest(node), knowledgeBases }, models, options),
	);
	const resolved: ResolvedModel[] = [];
	const errors: NodeError[] = [];
	for (const [position, { id, index }] of modelNodes.entries()) {
		// None of them rejects.
		const outcome = await pending[position];
		if (outcome === undefined) continue;
		if ("error" in outcome) errors.push({ node: id, error: outcome.error });
		else resolved[index] = outcome.resolved;
	}
	return errors.length === 0 ? resolved : joinNodeErrors(errors, "model");
}

export interface NodeError {
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
export function joinNodeErrors(errors: readonly NodeError[], kind: "model" | "tool"): RunError {
	const message = errors.map(({ node, error }) => `"${node}": ${error.message}`).join(" ");
	return {
		...(errors[0]?.error ?? { code: `${kind}_refused` }),
		message: `No ${kind} for ${message}`,
	};
}
