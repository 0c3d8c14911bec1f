import type { ChatRequest } from "@stemma/core";
import { maxInputTokens } from "../models/metering/token-bound";
import { type FieldNames, toAnswerRequest } from "./answer-request";
import { parseResponderName } from "./responder-name";

/**
 * Counts the tokens of a request at most: no tokenizer counts more. For agents and knowledge bases, whose own instructions and
 * passages are not known yet, it counts the messages alone.
 *
 * @throws DomainError `unsupported_parameter` for fields that they do not carry out.
 */
export function countInputTokens(model: string, request: ChatRequest, names: FieldNames): number {
	if (parseResponderName(model) === undefined) return maxInputTokens(request);
	const { messages } = toAnswerRequest(request, names);
	return maxInputTokens({ messages });
}
