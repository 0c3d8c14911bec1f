import type { FoundPassage } from "@stemma/client";
import { type AgentGraph, DEFAULT_TOP_K, type Json, type RunResult } from "@stemma/core";
import { createLocalAgent, type LocalPorts } from "@stemma/local";
import type { CallMeter } from "../models/metering/call-meter";
import { meterModel } from "../models/metering/metered-model";
import type { ModelRequest, Models } from "../models/models";
import type { AskProgress, ResolvedAskRequest } from "./ask-request";
import { collectProviderErrors } from "./collect-provider-errors";
import { ANSWER_PROMPT } from "./prompts/answer";
import { type AnswerReader, createAnswerReader } from "./reply/answer-reader";
import { hasInstructions, removeInstructions } from "./reply/instruction-reader";
import { isRefusal, removeNoAnswerMarks } from "./reply/no-answer-reader";

/** Options of an answer from passages that were found, which is a run of a graph of two nodes. */
export interface AnswerFromPassagesOptions {
	readonly models: Models;
	readonly meter: CallMeter;
	/** Model request that decides which model answers. */
	readonly modelRequest: ModelRequest;
	readonly signal: AbortSignal;
	readonly onEvent?: ((event: AskProgress) => void) | undefined;
}

/** Run that answered a question from passages. */
export interface PassageAnswer extends RunResult {
	/** The model read the passages and said that they do not answer; the built-in model never says so. */
	readonly hasNoAnswer: boolean;
	/** The model repeated its instructions, which were taken out. */
	readonly hadInstructions: boolean;
}

/**
 * A question is a graph of two nodes, so that it is answered by the same engine as every run.
 *
 * @throws the vendor's own error where that is why, else RunFailedError.
 */
export async function answerFromPassages(
	request: ResolvedAskRequest,
	passages: readonly FoundPassage[],
	{ models, meter, modelRequest, signal, onEvent }: AnswerFromPassagesOptions,
): Promise<PassageAnswer> {
	const failures = collectProviderErrors();
	let reader: AnswerReader | undefined = createAnswerReader();
	const ports: LocalPorts = {
		models: {
			async resolve({ choice }) {
				const resolved = models.resolve({ ...modelRequest, choice });
				// What the built-in model writes are quotations.
				if (resolved.model.provider === "extractive") reader = undefined;
				return { ...resolved, model: failures.wrap(meterModel(resolved, meter, "answer", ANSWER_PROMPT)) };
			},
		},
		retriever: { retrieve: async () => ({ passages }) },
	};
	const stream = createLocalAgent(toGraph(request), { ports }).stream({ input: toInput(request), signal });
	const emit = (text: string): void => {
		if (text !== "") onEvent?.({ type: "text.delta", text });
	};
	for await (const event of stream) {
		if (event.type === "text.delta" && event.final) emit(reader?.push(event.text) ?? event.text);
		else if (event.type === "text.reset") {
			reader?.reset();
			onEvent?.({ type: "text.reset" });
		}
	}
	emit(reader?.flush() ?? "");
	const result = await stream
		.result()
		.catch((error: unknown) => Promise.reject(failures.lastError() ?? error));
	return toPassageAnswer(result, reader !== undefined);
}

function toPassageAnswer(result: RunResult, mayRefuse: boolean): PassageAnswer {
	const { output } = result;
	if (!mayRefuse || typeof output !== "string")
		return { ...result, hasNoAnswer: false, hadInstructions: false };
	const text = removeNoAnswerMarks(output);
	const hadInstructions = hasInstructions(text);
	return {
		...result,
		output: removeInstructions(text),
		// The instructions have the mark, too.
		hasNoAnswer: isRefusal(output, hadInstructions || result.citations.length > 0),
		hadInstructions,
	};
}

function toGraph({ knowledge_base_ids, top_k = DEFAULT_TOP_K, model }: ResolvedAskRequest): AgentGraph {
	const [first = "", ...others] = knowledge_base_ids;
	return {
		nodes: [
			{
				id: "answer",
				kind: "coordinator",
				instructions: ANSWER_PROMPT.text,
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
