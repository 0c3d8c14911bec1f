import type { StemmaClient } from "../client";
import type { WithRequestId } from "../options/call-options";
import { type AskStream, ServiceAskStream } from "../streams/ask-stream";
import type { Answer, AskRegeneration, AskRequest } from "../types/ask";
import { type ThreadCallOptions, withThreadToken } from "./thread-token";

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
	// A promise of its own: a failure that nobody waits for is told as any other is.
	const askOnce = async (request: AskRequest | AskRegeneration, options?: ThreadCallOptions) =>
		stream(request, options).answer();
	return Object.assign(askOnce, { stream });
}
