import { type ChatReply, ConfigurationError } from "@stemma/core";
import type { ResolvedModel, Retrieval } from "./ports";

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
