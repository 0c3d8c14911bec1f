import { type AgentGraphIssue, type ChatReply, ConfigurationError, formatPath } from "@stemma/core";
import { copyJson, isJsonObject } from "@stemma/core/internal";
import type { ResolvedModel, Retrieval, ToolDescription } from "./ports";

/** Ports are other people's code: what they give is looked at before a run rests on it. */
export function throwInvalidResult(port: string, expected: string): never {
	throw new ConfigurationError(`The port \`${port}\` did not give ${expected}.`, {
		code: "port_result_invalid",
		hint: "Check the code of this port; the types of its interface say what it must return.",
	});
}

export function checkResolvedModel(resolved: ResolvedModel | undefined): ResolvedModel {
	if (typeof resolved?.model?.stream !== "function") throwInvalidResult("models", "{ model, payer, reason }");
	return resolved;
}

export function checkRetrieval(retrieval: Retrieval | undefined): Retrieval {
	if (!Array.isArray(retrieval?.passages)) throwInvalidResult("retriever", "{ passages: [] }");
	return retrieval;
}

export function checkReply(reply: ChatReply | undefined): ChatReply {
	if (typeof reply?.text !== "string" || !Array.isArray(reply.toolCalls))
		throwInvalidResult("models", "a reply with `text` and `toolCalls` at the end of a stream");
	return reply;
}

/** Validates a tool description and copies its parameters, so that every model sees the same ones. */
export function checkToolDescription(
	description: ToolDescription | undefined,
	tool: string,
): ToolDescription {
	if (!isJsonObject(description?.parameters))
		throwInvalidResult("tools", `{ parameters } of the tool "${tool}", a JSON Schema`);
	const issues: AgentGraphIssue[] = [];
	const parameters = copyJson(description.parameters, issues);
	const [issue] = issues;
	if (issue !== undefined || !isJsonObject(parameters))
		throwInvalidResult("tools", `parameters of the tool "${tool}" that are JSON${describeIssue(issue)}`);
	return { ...description, parameters };
}

function describeIssue(issue: AgentGraphIssue | undefined): string {
	if (issue === undefined) return "";
	const { path, message } = issue;
	return `: ${path.length === 0 ? "" : `at ${formatPath(path)}, `}${message.replace(/\.$/, "")}`;
}
