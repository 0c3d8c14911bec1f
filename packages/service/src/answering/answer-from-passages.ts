import type { FoundPassage } from "@stemma/client";
import { type AgentGraph, DEFAULT_TOP_K, type Json, type RunResult } from "@stemma/core";
import { createLocalAgent, type LocalPorts } from "@stemma/local";
import type { CallMeter } from "../models/call-meter";
import { meterModel } from "../models/metered-model";
import type { ModelRequest, Models } from "../models/models";
import type { AskProgress, ResolvedAskRequest } from "./ask-request";
import { collectProviderErrors } from "./collect-provider-errors";

/** Options of an answer from passages that were found, which is a run of a graph of two nodes. */
export interface AnswerFromPassagesOptions {
	readonly models: Models;
	readonly meter: CallMeter;
	/** Model request that decides which model answers. */
	readonly modelRequest: ModelRequest;
	readonly signal: AbortSignal;
	readonly onEvent?: ((event: AskProgress) => void) | undefined;
}

const INSTRUCTIONS =
	"Answer the question from the passages alone, in the language of the question, as briefly as it allows. " +
	"Set the number of the passage that a statement rests on in brackets behind it, such as [1]. " +
	"Where the passages do not answer the question, say so and do not guess.";

/**
 * A question is a graph of two nodes, so that it is answered by the same engine as every run.
 *
 * @throws the vendor's own error where that is why, else RunFailedError.
 */
export async function answerFromPassages(
	request: ResolvedAskRequest,
	passages: readonly FoundPassage[],
	{ models, meter, modelRequest, signal, onEvent }: AnswerFromPassagesOptions,
): Promise<RunResult> {
	const failures = collectProviderErrors();
	const ports: LocalPorts = {
		models: {
			async resolve({ choice }) {
				const resolved = models.resolve({ ...modelRequest, choice });
				return { ...resolved, model: failures.wrap(meterModel(resolved, meter, "answer")) };
			},
		},
		retriever: { retrieve: async () => ({ passages }) },
	};
	const stream = createLocalAgent(toGraph(request), { ports }).stream({ input: toInput(request), signal });
	for await (const event of stream) {
		if (event.type === "text.delta" && event.final) onEvent?.({ type: "text.delta", text: event.text });
		else if (event.type === "text.reset") onEvent?.({ type: "text.reset" });
	}
	return stream.result().catch((error: unknown) => Promise.reject(failures.lastError() ?? error));
}

function toGraph({ knowledge_base_ids, top_k = DEFAULT_TOP_K, model }: ResolvedAskRequest): AgentGraph {
	const [first = "", ...others] = knowledge_base_ids;
	return {
		nodes: [
			{
				id: "answer",
				kind: "coordinator",
				instructions: INSTRUCTIONS,
				...(model === undefined ? {} : { model }),
			},
			{ id: "passages", kind: "knowledge", knowledgeBases: [first, ...others], topK: top_k },
		],
		edges: [{ from: "answer", to: "passages", mode: "before" }],
	};
}

function toInput({ question, history = [] }: ResolvedAskRequest): Json {
	if (history.length === 0) return question;
	const messages = [...history, { role: "user", content: question }];
	return { messages: messages.map(({ role, content }) => ({ role, content })) };
}
