import type { McpOutcome } from "@stemma/client/mcp";
import { type Json, StemmaError } from "@stemma/core";
import { isJsonObject, quote } from "@stemma/core/internal";
import type { RedactText } from "../secrets/secret-redactor";
import { toServerLabel } from "../server-label";

/**
 * The result of a tool for a model: its structured content, else its text, with a mark for each other part. What is too
 * long is cut, and says so.
 *
 * @throws StemmaError `tool_failed` with what the tool said of its failure; `tool_input_required`.
 */
export function readToolResult(
	outcome: McpOutcome,
	tool: string,
	server: string,
	redactText: RedactText = (text) => text,
): Json {
	if (outcome.status === "input_required") throw inputRequired(tool, server);
	const { content, structuredContent, isError } = outcome;
	if (isError === true) throw toolFailed(tool, redactText(describeContent(content)));
	if (structuredContent === undefined) return truncateText(describeContent(content));
	const text = safeStringify(structuredContent);
	const truncated = truncateText(text);
	// JSON by the way it came.
	return truncated === text ? (structuredContent as Json) : truncated;
}

/** Writes a value as JSON; `""` for a value nested too deeply to be written, which is refused later. */
function safeStringify(value: unknown): string {
	try {
		return JSON.stringify(value);
	} catch {
		return "";
	}
}

function toolFailed(tool: string, errorText: string): StemmaError {
	return new StemmaError(errorText.trim() || `The tool ${quote(tool)} failed, and did not say why.`, {
		code: "tool_failed",
	});
}

function inputRequired(tool: string, server: string): StemmaError {
	return new StemmaError(
		`The tool ${quote(tool)} of ${toServerLabel(server)} asks for input before it continues, which graphs cannot give.`,
		{
			code: "tool_input_required",
			hint: "Use another tool, or pass everything that this one needs in its arguments.",
		},
	);
}

const describeContent = (content: unknown): string =>
	Array.isArray(content) ? content.map(describePart).join("\n") : "";

function describePart(part: unknown): string {
	if (!isJsonObject(part)) return "[unknown]";
	const { type, text, name, resource } = part;
	if (type === "text") return typeof text === "string" ? text : "";
	if (type === "resource_link") return placeholder("resource", name ?? part.uri);
	if (type !== "resource") return placeholder(typeof type === "string" ? type : "unknown");
	if (!isJsonObject(resource)) return placeholder("resource");
	const marked = placeholder("resource", resource.name ?? resource.uri);
	return typeof resource.text === "string" ? `${marked}\n${resource.text}` : marked;
}

/** `[image]`, `[resource: report.pdf]` */
function placeholder(kind: string, name?: unknown): string {
	const plain = (text: string): string => text.replace(/[\s[\]]+/g, " ").slice(0, 200);
	return typeof name === "string" ? `[${plain(kind)}: ${plain(name)}]` : `[${plain(kind)}]`;
}

/**
 * Maximum number of characters of a result, about 25,000 tokens: longer ones push the rest of the conversation out of
 * the model's context.
 */
const MAX_TOOL_TEXT_CHARACTERS = 100_000;

/** A text as a model is given it: too long a one ends with a mark that tells how much of it is missing. */
function truncateText(text: string): string {
	if (text.length <= MAX_TOOL_TEXT_CHARACTERS) return text;
	// Half of a character at the end is refused by vendors.
	const kept = text.slice(0, MAX_TOOL_TEXT_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
	const [missing, total] = [text.length - kept.length, text.length].map((count) =>
		count.toLocaleString("en"),
	);
	return `${kept}… [cut: ${missing} of ${total} characters]`;
}
