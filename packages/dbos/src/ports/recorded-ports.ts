import type { Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import {
	type EnginePorts,
	type Retrieval,
	type Retriever,
	readToolOutput,
	type SchemaValidationResult,
	type SchemaValidator,
	type ToolDescription,
	type ToolPort,
} from "@stemma/engine";
import type { CallLog } from "../calls/call-log";
import { toJsonObject } from "../calls/stored-error";
import { outcomeUnknown } from "./outcome-unknown";
import { recordCall } from "./record-call";
import { createRecordedAgents } from "./recorded-agents";
import { createRecordedModels } from "./recorded-models";

/** Ports whose calls are steps of a journal. */
export const createRecordedPorts = (
	{ models, retriever, tools, agents, validate }: EnginePorts,
	log: CallLog,
): EnginePorts => ({
	models: createRecordedModels(models, log),
	retriever: createRecordedRetriever(retriever, log),
	tools: createRecordedTools(tools, log),
	agents: createRecordedAgents(agents, log),
	validate: createRecordedValidator(validate, log),
});

/** Searching again changes nothing. */
const createRecordedRetriever = (retriever: Retriever, log: CallLog): Retriever => ({
	async retrieve(request, options) {
		const retrieval = await recordCall(log, {
			name: `retrieve ${request.node}`,
			errorCode: "retrieval_failed",
			signal: options.signal,
			call: async () => toJsonObject(await retriever.retrieve(request, options)),
		});
		// What it is, the engine checks.
		return retrieval as unknown as Retrieval;
	},
});

function createRecordedTools(tools: ToolPort, log: CallLog): ToolPort {
	const idempotent = new Set<string>();
	return {
		async describe(tool, options) {
			const description = await recordCall(log, {
				name: `describe ${tool.node}`,
				errorCode: "tool_refused",
				signal: options.signal,
				call: async () => toJsonObject(await tools.describe(tool, options)),
			});
			if (isJsonObject(description) && description.idempotent === true) idempotent.add(tool.node);
			return description as unknown as ToolDescription;
		},
		call: (request, options) =>
			recordCall(log, {
				name: `tool ${request.node}`,
				storesStart: true,
				errorCode: "tool_failed",
				signal: options.signal,
				async call(isRepeated) {
					if (isRepeated && !idempotent.has(request.node)) throw outcomeUnknown(request.node);
					return readToolOutput(await tools.call(request, options), request);
				},
			}),
	};
}

/** Most validators answer at once, and the same each time. Those that do not are steps. */
const createRecordedValidator =
	(validate: SchemaValidator, log: CallLog): SchemaValidator =>
	(schema, value, options) => {
		const result = validate(schema, value, options);
		if (!(result instanceof Promise)) return result;
		// Where its outcome is stored, this one is not awaited.
		result.catch(() => undefined);
		const recorded = recordCall(log, {
			name: "validate",
			errorCode: "output_not_checked",
			signal: options.signal,
			call: async (): Promise<Json> => toJsonObject(await result),
		});
		return recorded as unknown as Promise<SchemaValidationResult>;
	};
