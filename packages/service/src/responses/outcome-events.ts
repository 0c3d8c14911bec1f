import type { ReplyEvent } from "../replies/reply";
import type { ResponseOutcome } from "./repositories/response-repository";
import { createResponseEncoder, type ResponseEvent, type ResponseStreamOptions } from "./response-stream";

/** First events of a response in the background, which has no output before its end. */
export const toFirstEvents = (options: ResponseStreamOptions): readonly ResponseEvent[] =>
	createResponseEncoder(options).encode({ type: "start" });

/**
 * All events of a response that has ended: the same ones, with the same numbers, each time that it is read. Its text comes in
 * one piece.
 */
export function toOutcomeEvents(
	outcome: Exclude<ResponseOutcome, { readonly status: "in_progress" }>,
	options: ResponseStreamOptions,
): readonly ResponseEvent[] {
	const encoder = createResponseEncoder(options);
	const start = encoder.encode({ type: "start" });
	if (outcome.status !== "completed") return [...start, ...encoder.end(outcome)];
	const { reply } = outcome;
	const events: readonly ReplyEvent[] = [
		...(reply.reasoning && options.canSeeReceipt
			? [{ type: "reasoning.delta" as const, text: reply.reasoning }]
			: []),
		...(reply.text === "" ? [] : [{ type: "text.delta" as const, text: reply.text }]),
		{ type: "finish", reply },
	];
	return [...start, ...events.flatMap(encoder.encode)];
}
