import type { ChatRequest } from "@stemma/core";
import { createUnsupportedError } from "../../completions/unsupported-fields";
import { assertScope } from "../../http/auth/authenticate";
import { createAgentResponder } from "../../replies/agent-responder";
import { type FieldNames, toAnswerRequest } from "../../replies/answer-request";
import { createKnowledgeResponder } from "../../replies/knowledge-responder";
import { createModelResponder, type ModelResponderOptions } from "../../replies/model-responder";
import type { Responder } from "../../replies/reply";
import { parseResponderName } from "../../replies/responder-name";
import type { RequestScope } from "../../request-scope";

/** Request of a chat protocol, read. */
export interface ResponderRequest extends ModelResponderOptions {
	readonly request: ChatRequest;
	/** Names of the protocol's fields. */
	readonly names: FieldNames;
	/** Context of the run of an agent. */
	readonly context?: { readonly [key: string]: unknown } | undefined;
}

/**
 * Opens what answers a request: the model, agent or knowledge base that it names.
 *
 * @throws DomainError where the caller may not use it, and for fields that it does not carry out.
 */
export async function openResponder(
	scope: RequestScope,
	{ request, names, context, ...options }: ResponderRequest,
): Promise<Responder> {
	const { model } = options;
	const responder = parseResponderName(model);
	assertScope(scope.caller, responder?.kind === "agent" ? "agents:run" : "ask");
	if (context !== undefined && responder?.kind !== "agent")
		throw createUnsupportedError("stemma.context", "Only agents have a context.");
	if (responder === undefined) return createModelResponder(scope, request, options);
	const { kind, idOrSlug } = responder;
	const answerRequest = toAnswerRequest(request, names);
	return kind === "agent"
		? createAgentResponder(scope, answerRequest, { model, agentIdOrSlug: idOrSlug, context })
		: createKnowledgeResponder(scope, answerRequest, {
				model,
				knowledgeBase: idOrSlug,
				questionField: names.messages,
			});
}
