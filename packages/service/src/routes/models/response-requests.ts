import type { ChatRequest } from "@stemma/core";
import { SETTING_FIELDS } from "@stemma/core/internal";
import { DomainError } from "../../errors/domain-error";
import { toClaimOwner } from "../../http/idempotency/idempotency-claim";
import type { ServiceContext } from "../../http/service-context";
import type { FieldNames } from "../../replies/answer-request";
import type { ParamNames } from "../../replies/rename-param";
import type { ResponseItem, ResponseRequest } from "../../responses/response-request";
import { toResponseChatRequest } from "../../responses/to-chat-request";

/** Names of the fields of chat completions in a request for a response. */
export const RESPONSE_PARAMS: ParamNames = {
	messages: "input",
	response_format: "text.format",
	"response_format.json_schema.schema": "text.format.schema",
	max_completion_tokens: "max_output_tokens",
	max_tokens: "max_output_tokens",
	reasoning_effort: "reasoning.effort",
	verbosity: "text.verbosity",
};

const toNames = ({ instructions }: ResponseRequest): FieldNames => ({
	messages: "input",
	system: instructions ? "instructions" : "input",
	tools: "tools",
	output: "text.format",
	settings: { ...SETTING_FIELDS, reasoningEffort: "reasoning.effort", verbosity: "text.verbosity" },
});

/** Request for a response with the conversation that it goes on from. */
export interface ResolvedResponseRequest {
	readonly owner: string;
	readonly isStored: boolean;
	/** Items that the request adds to the conversation. */
	readonly input: readonly ResponseItem[];
	readonly request: ChatRequest;
	readonly names: FieldNames;
}

/**
 * Resolves all that a request for a response refers to.
 *
 * @throws DomainError `response_not_found`, `unsupported_parameter`, `invalid_request`.
 */
export async function resolveResponseRequest(
	context: ServiceContext,
	body: ResponseRequest,
): Promise<ResolvedResponseRequest> {
	const { responses } = context.get("workspace");
	const { caller_id: owner, isShared } = readResponseOwner(context);
	if (isShared) assertWithoutStore(body);
	const { input: sent, previous_response_id } = body;
	const items: readonly ResponseItem[] =
		typeof sent === "string" ? [{ type: "message", role: "user", content: sent }] : sent;
	const input = await responses.resolveReferences(owner, items);
	const before = previous_response_id ? await responses.listItems(owner, previous_response_id, input) : [];
	return {
		owner,
		isStored: !isShared && body.store !== false,
		input,
		request: toResponseChatRequest(body, [...before, ...input], input.length),
		names: toNames(body),
	};
}

/** The owner of responses: the client, or one visitor of a page. Visitors without a secret of their own store nothing. */
export const readResponseOwner = (context: ServiceContext): ReturnType<typeof toClaimOwner> =>
	toClaimOwner(context, context.get("kernel").fingerprint);

function assertWithoutStore({ store, background, previous_response_id }: ResponseRequest): void {
	if (store !== true && background !== true && !previous_response_id) return;
	throw new DomainError("invalid_request", "Responses of a client key are stored for one visitor each.", {
		param: "stemma-visitor",
		hint: "Send a secret of the visitor with each request: 32 random hexadecimal characters in the header stemma-visitor.",
	});
}
