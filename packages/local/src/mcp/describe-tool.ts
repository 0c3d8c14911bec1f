import type { McpLock, McpTool } from "@stemma/client/mcp";
import { type AgentGraphIssue, ConfigurationError, type JsonSchema } from "@stemma/core";
import { closestName, copyJson, isJsonObject, quote } from "@stemma/core/internal";
import type { ToolDescription } from "@stemma/engine";
import type { RedactText } from "../secrets/secret-redactor";
import { toServerLabel } from "../server-label";

/**
 * Maximum number of characters of a tool's description and schema, as JSON: every model call of the node carries them.
 */
const MAX_DESCRIPTION_CHARACTERS = 65_536;
const MAX_LISTED_TOOLS = 20;

export interface DescribeToolOptions {
	/** Lock of the server. */
	readonly lock?: McpLock | undefined;
	/** Default: there is no secret. */
	readonly redactText?: RedactText | undefined;
}

/**
 * The tool of a server as models are shown it: its schema as it is, and nothing that it refers to is fetched.
 *
 * @param tools - those of the server; of one with a lock, those of the lock.
 * @throws ConfigurationError `tool_not_found`, with what the server has; `tool_schema_invalid` for what no model could be
 * shown.
 */
export function describeTool(
	tools: readonly McpTool[],
	name: string,
	server: string,
	options: DescribeToolOptions = {},
): ToolDescription {
	const tool = tools.find((one) => one.name === name);
	if (tool === undefined) throw notFound(tools, name, server, options);
	const { description = tool.title, inputSchema, annotations } = tool;
	const parameters = readParameters(description, inputSchema);
	if (typeof parameters === "string") throw unusableTool(name, server, parameters);
	return {
		...(description === undefined ? {} : { description }),
		parameters,
		// What only reads changes nothing the second time either.
		idempotent: annotations?.idempotentHint === true || annotations?.readOnlyHint === true,
	};
}

/** The schema, or why it is not usable. One that is nested without end is looked at no deeper than it may be. */
function readParameters(description: unknown, schema: unknown): JsonSchema | string {
	const issues: AgentGraphIssue[] = [];
	const copy = isJsonObject(schema) ? copyJson(schema, issues) : undefined;
	if (!isJsonObject(copy) || copy.type !== "object") return "its schema is not that of an object";
	const [issue] = issues;
	if (issue !== undefined) return `its schema is not usable: ${issue.message.replace(/\.$/, "")}`;
	const { length } = JSON.stringify([description, schema]);
	if (length <= MAX_DESCRIPTION_CHARACTERS) return copy;
	const [actual, max] = [length, MAX_DESCRIPTION_CHARACTERS].map((count) => count.toLocaleString("en"));
	return `its description and schema have ${actual} characters; the maximum is ${max}`;
}

function unusableTool(name: string, server: string, problem: string): ConfigurationError {
	return new ConfigurationError(
		`The tool ${quote(name)} of ${toServerLabel(server)} cannot be offered to a model: ${problem}.`,
		{
			code: "tool_schema_invalid",
			hint: "The operator of the server has to change it. Leave the node out until then.",
		},
	);
}

function notFound(
	tools: readonly McpTool[],
	name: string,
	server: string,
	{ lock, redactText = (text) => text }: DescribeToolOptions,
): ConfigurationError {
	const names = tools.map((tool) => redactText(tool.name));
	const close = closestName(name, names);
	const suggestion = close === undefined ? "" : ` Did you mean ${quote(close)}?`;
	const [code, location, hint] =
		lock === undefined
			? ["tool_not_found", "", "Name one of the server's tools in `tool` of the node."]
			: ["tool_not_pinned", " in its lock", "Review the tool, and add it to the lock in `pins`."];
	return new ConfigurationError(
		`${toServerLabel(server)} has no tool ${quote(name)}${location}.${suggestion} ${listNames(names)}`,
		{ code, hint },
	);
}

function listNames(names: readonly string[]): string {
	if (names.length === 0) return "It has none.";
	const shown = names.slice(0, MAX_LISTED_TOOLS).map(quote).join(", ");
	const rest = names.length - MAX_LISTED_TOOLS;
	return `It has ${shown}${rest > 0 ? ` and ${rest} more` : ""}.`;
}
