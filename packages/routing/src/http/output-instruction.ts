import type { ChatRequest } from "@stemma/core";

/** The output that a request wants in words, for models that have no format for it; none for plain text. */
export function toOutputInstruction({ outputSchema, output }: ChatRequest): string | undefined {
	if (outputSchema !== undefined)
		return `Reply with JSON alone that fits this JSON Schema: ${JSON.stringify(outputSchema)}`;
	return output && "Reply with one JSON object alone, without a code fence.";
}
