import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import { type AskStream, ServiceAskStream } from "../streams/ask-stream";
import type { Answer, AskRegeneration, AskRequest } from "../types/ask";
import type { Feedback, FeedbackRequest } from "../types/feedback";
import type { Deleted } from "../types/page";
import { type ThreadCallOptions, withThreadToken } from "./thread-token";

/** Client keys reach the answers alone whose token they have. */
export interface AnswerCallOptions extends CallOptions {
	/** `answer_token` of the answer. */
	readonly answer_token?: string | undefined;
}

/** Answers questions from documents. */
export interface Ask {
	/**
	 * One answer. It is streamed inside, so that it may take its time; one that may have begun is not asked for again
	 * by itself, as it would be paid for twice.
	 *
	 * @throws StreamError with the service's code when answering failed, or when the connection broke: an answer is not
	 * rejoined, and nothing of it goes on.
	 */
	(request: AskRequest | AskRegeneration, options?: ThreadCallOptions): Promise<WithRequestId<Answer>>;
	/** The answer as it is written; asks at once. */
	stream(request: AskRequest | AskRegeneration, options?: ThreadCallOptions): AskStream;
	/**
	 * Rates an answer that was asked for with `store: true`. The same credential rates an answer once: sent again, it
	 * replaces what was sent before.
	 */
	sendFeedback(
		answerId: string,
		feedback: FeedbackRequest,
		options?: AnswerCallOptions,
	): Promise<WithRequestId<Feedback>>;
	/** Takes a rating back. @throws NotFoundError `feedback_not_found` where there is none. */
	deleteFeedback(answerId: string, options?: AnswerCallOptions): Promise<WithRequestId<Deleted>>;
}

export function ask(client: StemmaClient): Ask {
	const stream: Ask["stream"] = (request, options) =>
		new ServiceAskStream(client, {
			method: "POST",
			path: "/v1/ask",
			json: request,
			retry: "if-not-started",
			options: withThreadToken(options),
		});
	// A promise of its own, so that a failure without a handler is reported as unhandled.
	const askOnce = async (request: AskRequest | AskRegeneration, options?: ThreadCallOptions) =>
		stream(request, options).answer();
	const toRequest = (answerId: string, options: AnswerCallOptions | undefined) => ({
		path: path`/v1/answers/${answerId}/feedback`,
		headers: { "stemma-answer-token": options?.answer_token },
		options,
	});
	return Object.assign(askOnce, {
		stream,
		sendFeedback: (answerId: string, json: FeedbackRequest, options?: AnswerCallOptions) =>
			client.request<Feedback>({ method: "POST", ...toRequest(answerId, options), json }),
		deleteFeedback: (answerId: string, options?: AnswerCallOptions) =>
			client.request<Deleted>({ method: "DELETE", ...toRequest(answerId, options) }),
	});
}
