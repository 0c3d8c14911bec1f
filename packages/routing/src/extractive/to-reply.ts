import type { ChatReply, ChatRequest } from "@stemma/core";
import { chooseSentences } from "./choose-sentences";
import { composeAnswer } from "./compose-answer";
import { planCalls } from "./plan-calls";
import { readSources, type Sources } from "./read-sources";
import { toOutputWriter } from "./write-output";

const USAGE = { inputTokens: 0, outputTokens: 0 };

/**
 * The reply to a request: calls, or the answer. The same request gets the same reply.
 *
 * @throws StemmaError `output_not_supported` for an output schema that takes more than one text.
 */
export function toReply(request: ChatRequest): ChatReply {
	const writeOutput = toOutputWriter(request.outputSchema);
	const sources = readSources(request);
	const toolCalls = planCalls(request, sources.question);
	if (toolCalls.length > 0) return { text: "", toolCalls, finishReason: "tool_calls", usage: USAGE };
	const answer = continuesPlainText(request, sources)
		? sources.question
		: composeAnswer(sources, chooseSentences(sources), request.tools ?? []);
	return { text: writeOutput(answer), toolCalls: [], finishReason: "stop", usage: USAGE };
}

/** Behind a `then` edge the input is what an agent said: without marks there is nothing to choose, and it stands. */
function continuesPlainText({ origin }: ChatRequest, { isContinuation, wasAnythingRead }: Sources): boolean {
	return origin?.mode === "then" && !isContinuation && !wasAnythingRead;
}
