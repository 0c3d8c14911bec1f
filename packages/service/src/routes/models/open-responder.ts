import type { ChatRequest } from "@stemma/core";
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
}

/**
 * Opens what answers a request: the model, agent or knowledge base that it names.
 *
 * @throws DomainError where the caller may not use it, and for fields that it does not carry out.
 */
export async function openResponder(
	scope: RequestScope,
	{ request, names, ...options }: ResponderRequest,
): Promise<Responder> {
	const { model } = options;
	const responder = parseResponderName(model);
	assertScope(scope.caller, responder?.kind === "agent" ? "agents:run" : "ask");
	if (responder === undefined) return createModelResponder(scope, request, options);
	const { kind, idOrSlug } = responder;
	const answerRequest = toAnswerRequest(request, names);
	return kind === "agent"
		? createAgentResponder(scope, answerRequest, { model, agentIdOrSlug: idOrSlug })
		: createKnowledgeResponder(scope, answerRequest, {
				model,
				knowledgeBase: idOrSlug,
				questionField: names.messages,
			});
}
