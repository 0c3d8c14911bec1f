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
		const own = template.distinctPaths.flatMap((path) => findTemplateProblem(path, context) ?? []);
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
	const pending = modelNodes.map((node) => {
		const { id, modelSettings } = node;
		const choice = modelSettings?.node.model;
		const request =
			choice === undefined
				? { runId, node: id, knowledgeBases }
				: { runId, node: id, choice, knowledgeBases };
		return resolveModel(node, request, models, options);
	});
	const resolved: ResolvedModel[] = [];
	const errors: NodeError[] = [];
	for (const one of pending) {
		// None of them rejects.
		const outcome = "then" in one ? await one : one;
		if ("error" in outcome) errors.push(outcome);
		else resolved[outcome.index] = outcome.model;
	}
	return errors.length === 0 ? resolved : joinNodeErrors(errors, "model");
}

interface ModelOfNode {
	readonly index: number;
	readonly model: ResolvedModel;
}

/** Resolves the model of one node; at once, where the port knows it at once. */
function resolveModel(
	node: CompiledNode,
	request: ModelRequest,
	models: ModelPort,
	options: PortCallOptions,
): ModelOfNode | NodeError | Promise<ModelOfNode | NodeError> {
	try {
		const answer = models.resolve(request, options);
		if (typeof answer === "object" && answer !== null && "model" in answer)
			return { index: node.index, model: checkResolvedModel(answer) };
		return awaitModel(node, answer);
	} catch (error) {
		return toNodeError(node, error);
	}
}

async function awaitModel(
	node: CompiledNode,
	answer: Promise<ResolvedModel>,
): Promise<ModelOfNode | NodeError> {
	try {
		return { index: node.index, model: checkResolvedModel(await answer) };
	} catch (error) {
		return toNodeError(node, error);
	}
}

const toNodeError = ({ id }: CompiledNode, error: unknown): NodeError => ({
	node: id,
	error: toRunError(error, "model_refused"),
});

export interface NodeError {
	readonly node: string;
	readonly error: RunError;
}

/** One error for all nodes that cannot have what they need. */
export function joinNodeErrors(errors: readonly NodeError[], kind: "model" | "tool"): RunError {
	const message = errors.map(({ node, error }) => `"${node}": ${error.message}`).join(" ");
	return {
		...(errors[0]?.error ?? { code: `${kind}_refused` }),
		message: `No ${kind} for ${message}`,
	};
}
