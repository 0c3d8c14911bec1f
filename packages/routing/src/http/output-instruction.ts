import type { ChatRequest } from "@stemma/core";

/** Describes the output that a request wants in words, for models without a format for it. Undefined for plain text. */
export function toOutputInstruction({ outputSchema, output }: ChatRequest): string | undefined {
	if (outputSchema !== undefined)
		return `Reply with JSON alone that fits this JSON Schema: ${JSON.stringify(outputSchema)}`;
	return output && "Reply with one JSON object alone, without a code fence.";
}
