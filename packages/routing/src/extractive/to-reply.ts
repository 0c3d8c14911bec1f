import type { ChatReply, ChatRequest } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import { isForcedChoice } from "../http/tool-choice";
import { chooseSentences } from "./choose-sentences";
import { composeAnswer } from "./compose-answer";
import { planCalls } from "./plan-calls";
import { readSources, type Sources } from "./read-sources";
import { assertSettings, chooseCalls, cutAtStop } from "./settings";
import { toOutputWriter } from "./write-output";

const USAGE = { inputTokens: 0, outputTokens: 0 };

/**
 * The reply to a request: calls, or the answer. The same request gets the same reply.
 *
 * @throws StemmaError `output_not_supported` for an output schema that takes more than one text;
 * `tool_choice_not_supported` for a call that is demanded of what it never calls; `unsupported_parameter` for a setting
 * that it cannot keep.
 */
export function toReply(request: ChatRequest): ChatReply {
	assertSettings(request);
	const writeOutput = toOutputWriter(request);
	const sources = readSources(request);
	const toolCalls = chooseCalls(planCalls(request, sources.question), request);
	if (toolCalls.length > 0) return { text: "", toolCalls, finishReason: "tool_calls", usage: USAGE };
	if (isForcedChoice(request.toolChoice)) throw createForcedCallError();
	const answer = isPlainContinuation(request, sources)
		? sources.question
		: composeAnswer(sources, chooseSentences(sources), request.tools ?? []);
	const text = cutAtStop(writeOutput(answer), request.settings);
	return { text, toolCalls: [], finishReason: "stop", usage: USAGE };
}

const createForcedCallError = (): StemmaError =>
	new StemmaError("The built-in model cannot be made to call a tool.", {
		code: "tool_choice_not_supported",
		hint: "Configure a model, or leave the choice to the model.",
	});

/**
 * Checks whether the input of a `then` edge is passed on unchanged. That input is another agent's text: without
 * citation marks there is nothing to choose from.
 */
function isPlainContinuation({ origin }: ChatRequest, { isContinuation, hasSources }: Sources): boolean {
	return origin?.mode === "then" && !isContinuation && !hasSources;
}
