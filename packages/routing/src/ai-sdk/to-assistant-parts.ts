import { asText, type Fields, parseObject } from "../http/lenient-json";

/**
 * Converts a model's answer to the form in which the prompt of a later call holds it: metadata becomes options, and
 * results of the vendor's own tools become outputs. Parts that are not text, reasoning or part of a tool call are left
 * out.
 */
export const toAssistantParts = (content: readonly Fields[]): object[] =>
	content.flatMap((part) => {
		const { providerMetadata, ...rest } = part;
		const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
		const isEmpty = rest.text === "" && providerMetadata === undefined;
		switch (part.type) {
			case "text":
			case "reasoning":
				return isEmpty ? [] : [{ type: part.type, text: rest.text, ...options }];
			case "tool-call":
				return [{ ...toCallPart(part), ...options }];
			case "tool-result":
				return [{ ...toResultPart(part), ...options }];
			default:
				return [];
		}
	});

const toCallPart = ({ toolCallId, toolName, input, providerExecuted }: Fields): object => ({
	type: "tool-call",
	toolCallId,
	toolName,
	input: toInput(asText(input)),
	...(providerExecuted === true ? { providerExecuted } : {}),
});

const toResultPart = ({ toolCallId, toolName, result, isError }: Fields): object => ({
	type: "tool-result",
	toolCallId,
	toolName,
	output: { type: isError === true ? "error-json" : "json", value: result ?? null },
});

/** Vendors take objects alone; what was wrong with other arguments stands in the answer to the call. */
export const toInput = (text: string): Fields => parseObject(text) ?? {};
