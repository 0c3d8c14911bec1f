import type { Answer, AskEvent, AskRequest, FoundPassage } from "@stemma/client";
import type { AgentGraph, Json, RunResult, RunUsage, Stage } from "@stemma/core";
import { createLocalAgent } from "@stemma/local";
import { ApiError } from "../http/api-error";
import type { Knowledge } from "../knowledge/knowledge";
import type { CallMeter } from "../models/metered-model";
import type { Models } from "../models/models";
import type { Database } from "../store/database";
import { isGoodEnough } from "./relevance";
import { createServicePorts } from "./service-ports";

export interface AskOptions {
	readonly database: Pick<Database<unknown>, "readJob">;
	readonly knowledge: Pick<Knowledge, "search" | "listModels">;
	readonly models: Models;
	readonly meter: CallMeter;
	/** Whoever asks with a client key may not choose the model. */
	readonly isClientKey: boolean;
	readonly signal: AbortSignal;
	/** Gets the passages and the text as it comes in; not the end. */
	readonly onEvent?: (event: AskProgress) => void;
}

/** An event of an answer without its number. */
export type AskProgress = AskEvent extends infer Event
	? Event extends { readonly type: "ask.passages" | "text.delta" | "text.reset" }
		? Omit<Event, "seq">
		: never
	: never;

const DEFAULT_TOP_K = 8;

/** Those that a question goes through. */
const STAGES: readonly Stage[] = ["embed", "answer"];

const INSTRUCTIONS =
	"Answer the question from the passages alone, in the language of the question, as briefly as it allows. " +
	"Set the number of the passage that a statement rests on in brackets behind it, such as [1]. " +
	"Where the passages do not answer the question, say so and do not guess.";

const REFUSAL = "The documents hold nothing that answers this question.";

/** Answers a question from knowledge bases, with citations; says so where nothing that was found fits. */
export async function ask(request: AskRequest, options: AskOptions): Promise<Answer> {
	const { question, knowledge_base_ids, top_k = DEFAULT_TOP_K, model } = request;
	// Before anything is read: a model that may not be chosen is an error of the request.
	const knowledgeBases = await options.knowledge.listModels(knowledge_base_ids);
	options.models.plan(STAGES, { choice: model, isClientKey: options.isClientKey, knowledgeBases });
	const passages = await options.knowledge.search({ query: question, knowledge_base_ids, top_k });
	options.onEvent?.({ type: "ask.passages", passages });
	if (!(await isGoodEnough(options.database, question, knowledge_base_ids, passages)))
		return refuse(passages, options);
	const result = await answer(request, passages, options);
	return {
		answer: typeof result.output === "string" ? result.output : JSON.stringify(result.output),
		citations: result.citations,
		passages,
		receipt: result.receipt,
		usage: result.usage,
	};
}

const NO_USAGE: RunUsage = { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 };

function refuse(passages: readonly FoundPassage[], { onEvent }: AskOptions): Answer {
	onEvent?.({ type: "text.delta", text: REFUSAL });
	return {
		answer: REFUSAL,
		citations: [],
		passages,
		receipt: [],
		usage: NO_USAGE,
		refused: "no_relevant_passages",
	};
}

/** A question is a graph of two nodes, so that it is answered by the same engine as every run. */
async function answer(
	request: AskRequest,
	passages: readonly FoundPassage[],
	{ knowledge, models, meter, signal, onEvent }: AskOptions,
): Promise<RunResult> {
	const found = { listModels: knowledge.listModels, search: async () => [...passages] };
	const ports = createServicePorts({ knowledge: found, models, meter });
	const stream = createLocalAgent(toGraph(request), { ports }).stream({ input: toInput(request), signal });
	for await (const event of stream) {
		if (event.type === "text.delta" && event.final) onEvent?.({ type: "text.delta", text: event.text });
		else if (event.type === "text.reset") onEvent?.({ type: "text.reset" });
	}
	const result = await stream.result();
	if (result.status !== "completed")
		throw new ApiError(409, "cancelled", "The question was given up before it was answered.", {
			hint: "Ask again.",
		});
	return result;
}

function toGraph({ knowledge_base_ids, top_k = DEFAULT_TOP_K, model }: AskRequest): AgentGraph {
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

function toInput({ question, history = [] }: AskRequest): Json {
	if (history.length === 0) return question;
	const messages = [...history, { role: "user", content: question }];
	return { messages: messages.map(({ role, content }) => ({ role, content })) };
}
