import { A2aServerError } from "../a2a-server-error";
import { type Params, readTexts } from "./params";

/** Parts that a caller can read: text and data, or text alone. */
export type OutputFormat = "any" | "text";

/**
 * Reads `acceptedOutputModes` (A2A 1.0.1, section 3.2.2): media types, also with wildcards; none for any.
 *
 * @throws A2aServerError `CONTENT_TYPE_NOT_SUPPORTED` where neither text nor JSON is accepted.
 */
export function readOutputFormat(configuration: Params): OutputFormat {
	const path = "configuration.acceptedOutputModes";
	const modes = (readTexts(configuration, "acceptedOutputModes", path) ?? []).map(toType);
	const accepts = (pattern: RegExp): boolean => modes.some((mode) => pattern.test(mode));
	if (modes.length === 0 || accepts(/^(\*\/\*|application\/(\*|([\w.-]+\+)?json))$/)) return "any";
	if (accepts(/^text(\/|$)/)) return "text";
	throw new A2aServerError(
		"CONTENT_TYPE_NOT_SUPPORTED",
		`${path}: The agent answers only with text and JSON.`,
		{
			param: path,
			hint: "Accept text/plain or application/json, or leave it out.",
		},
	);
}

const toType = (mode: string): string => (mode.split(";")[0] ?? "").trim().toLowerCase();
