import type { ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { presentReply } from "../../replies/present-reply";
import type { ResponseOutcome, StoredResponse } from "../../responses/repositories/response-repository";
import { toResponse } from "../../responses/to-response";
import { visibilityOf } from "../../runs/visibility";

/** Converts a response to what its caller sees, with addresses of documents that are made now. */
export const toWireResponse = (context: ServiceContext, { id, head, outcome }: StoredResponse): object =>
	toResponse(head, presentOutcome(context, outcome), { id, canSeeReceipt: canSeeReceipt(context) });

/** Adds to an outcome what is made when it is sent. */
export const presentOutcome = <Outcome extends ResponseOutcome>(
	context: ServiceContext,
	outcome: Outcome,
): Outcome =>
	outcome.status === "completed"
		? { ...outcome, reply: presentReply(outcome.reply, toScope(context)) }
		: outcome;

export const canSeeReceipt = (context: ServiceContext): boolean =>
	visibilityOf(context.get("caller")) !== "answer";
