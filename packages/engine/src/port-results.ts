import {
	type AgentGraphIssue,
	type ChatReply,
	ConfigurationError,
	formatPath,
	type Json,
} from "@stemma/core";
import { copyJson, isJsonObject } from "@stemma/core/internal";
import type { ResolvedModel, Retrieval, ToolDescription } from "./ports";

/** Ports are other people's code: what they give is looked at before a run rests on it. */
function refuse(port: string, expected: string): never {
	throw new ConfigurationError(`The port \`${port}\` did not give ${expected}.`, {
		code: "port_result_invalid",
		hint: "Look at the code behind this port; the types of its interface tell what it must give.",
	});
}

export function checkResolvedModel(resolved: ResolvedModel | undefined): ResolvedModel {
	if (typeof resolved?.model?.stream !== "function") refuse("models", "{ model, payer, reason }");
	return resolved;
}

export function checkRetrieval(retrieval: Retrieval | undefined): Retrieval {
	if (!Array.isArray(retrieval?.passages)) refuse("retriever", "{ passages: [] }");
	return retrieval;
}

export function checkReply(reply: ChatReply | undefined): ChatReply {
	if (typeof reply?.text !== "string" || !Array.isArray(reply.toolCalls))
		refuse("models", "a reply with `text` and `toolCalls` at the end of a stream");
	return reply;
}

export function checkToolDescription(description: ToolDescription | undefined): ToolDescription {
	if (!isJsonObject(description?.parameters)) refuse("tools", "{ parameters } of a tool, a JSON Schema");
	return description as ToolDescription;
}

/** A copy: what a tool changes later changes no run. */
export function checkToolOutput(output: Json, tool: string): Json {
	const issues: AgentGraphIssue[] = [];
	const copy = copyJson(output, issues);
	const [first] = issues;
	if (copy !== undefined && first === undefined) return copy;
	const place = first === undefined || first.path.length === 0 ? "" : ` at ${formatPath(first.path)}`;
	throw new ConfigurationError(`The tool "${tool}" gave what is not JSON${place}. ${first?.message ?? ""}`, {
		code: "tool_result_invalid",
		hint: "Return text, or plain data.",
	});
}
