import type { JsonObject } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import { parseJson } from "./parse-json";

/**
 * Reads the option `--context`: values for `{{context.…}}` in instructions.
 *
 * @throws ConfigurationError for what is no JSON object.
 */
export function readContext(text: string | undefined): JsonObject {
	if (text === undefined) return {};
	const context = parseJson(text, "--context");
	if (typeof context !== "object" || context === null || Array.isArray(context))
		throw new ConfigurationError("--context must be a JSON object.", {
			hint: `For example: --context '{"customer": "Ada"}'`,
		});
	// Parsed from JSON, and an object.
	return context as JsonObject;
}
