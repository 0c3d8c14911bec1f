import type { ChatRequest, Stage } from "@stemma/core";
import { type CallerReceipts, createCallerReceipts } from "../answering/caller-receipts";
import { assertMayCallModels } from "../answering/client-key-limits";
import { resolveKnowledgeBases } from "../answering/retrieval/knowledge-base-selection";
import { toCompletionError } from "../completions/completion-error";
import { toSingleCallModel } from "../completions/single-call-model";
import { validateSchemas } from "../completions/validate-schemas";
import { withReplyValidation } from "../completions/validated-model";
import { createId } from "../create-id";
import { meterModel } from "../models/metering/metered-model";
import { toModelRequest } from "../models/model-request";
import type { RequestScope } from "../request-scope";
import type { ReplyEvent, Responder } from "./reply";

/** Options of a reply of a model. */
export interface ModelResponderOptions {
	/** Name of the model in the request. */
	readonly model: string;
	readonly provider?: string | undefined;
	/** Knowledge bases whose settings may decide who answers. */
	readonly knowledgeBaseIds?: readonly string[] | undefined;
	readonly stage?: Stage | undefined;
	/** Field that the tools came in. Replies to `functions` have room for one call. Default `tools`. */
	readonly toolsField?: "tools" | "functions";
}

/**
 * Prepares the reply of a model. Errors that are the request's fault have OpenAI's names of fields.
 *
 * @throws DomainError for callers that may not call models, the choice of the model, and schemas that cannot be used.
 */
export async function createModelResponder(
	scope: RequestScope,
	request: ChatRequest,
	options: ModelResponderOptions,
): Promise<Responder> {
	assertMayCallModels(scope.caller);
	const { model: name, provider, knowledgeBaseIds = [], stage = "answer", toolsField = "tools" } = options;
	const { kernel, workspace, signal } = scope;
	const knowledgeBases = await resolveKnowledgeBases(scope, knowledgeBaseIds);
	const resolved = kernel.models.resolve(
		await toModelRequest(scope, knowledgeBases, { provider, model: name }),
	);
	const schemas = kernel.schemas.forWorkspace(workspace.id);
	// A run checks what its nodes are answered by itself, and repairs it.
	const isNode = request.origin !== undefined;
	if (!isNode) await validateSchemas(request, schemas, toolsField);
	const receiptId = createId("rcp");
	const receipts = createCallerReceipts(scope, receiptId);
	const metered = meterModel(resolved, receipts.meter, stage);
	const callable = toolsField === "functions" ? toSingleCallModel(metered) : metered;
	const model = isNode ? metered : withReplyValidation(callable, schemas);
	const fail = (error: unknown): Promise<never> =>
		receipts.rejectForCaller(error).catch((visibleError: unknown) => {
			throw isNode ? visibleError : toCompletionError(visibleError);
		});
	const canSeeReceipt = receipts.visibility !== "answer";
	return {
		model: canSeeReceipt ? resolved.model.model : name,
		canSeeReceipt,
		receiptId,
		async generate() {
			const reply = await model.generate(request, { signal }).catch(fail);
			await receipts.waitUntilWritten();
			return reply;
		},
		stream: () => streamModel(model.stream(request, { signal }), receipts, fail),
	};
}

/** Events of a model. Reasoning is for callers who may see more than the answer. */
async function* streamModel(
	events: AsyncIterable<ReplyEvent>,
	{ visibility, waitUntilWritten }: Pick<CallerReceipts, "visibility" | "waitUntilWritten">,
	fail: (error: unknown) => Promise<never>,
): AsyncGenerator<ReplyEvent> {
	try {
		for await (const event of events) {
			if (event.type === "finish") await waitUntilWritten();
			if (event.type !== "reasoning.delta" || visibility !== "answer") yield event;
		}
	} catch (error) {
		await fail(error);
	}
}
