import type { TokenUsage } from "@stemma/core";

/** Undefined unless each part is known: a sum with gaps would say too little. */
export function sumUsage(parts: readonly (TokenUsage | undefined)[]): TokenUsage | undefined {
	const known = parts.filter((part) => part !== undefined);
	if (known.length === 0 || known.length < parts.length) return undefined;
	return {
		inputTokens: known.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
		outputTokens: known.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
	};
}
