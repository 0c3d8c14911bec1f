import { type AnswerBody, openAnswer } from "./answer-body";
import type { Attempts } from "./attempts";
import type { CallSettings } from "./call-options";
import type { CallWatch } from "./call-watch";
import { isRetriedStatus } from "./retry";
import { type HttpCall, send } from "./send";
import { type Endpoint, toProviderError, type VendorFailure } from "./to-provider-error";

/** What is sent to an endpoint, and how its refusals read. */
export interface PostRequest {
	readonly url: string;
	/** JSON. */
	readonly body: string;
	/** Asked for each attempt. */
	readonly headers: HttpCall["headers"];
	/** Default: answers are text. */
	readonly isBinary?: boolean;
	readError(refusal: Refusal): VendorFailure;
}

/** An answer that is no success. */
export interface Refusal {
	readonly status: number;
	readonly headers: Headers;
	/** As much of the body as could be had. */
	readonly text: string;
}

/** An answer that is a success, so far. */
export interface Answer {
	readonly body: AnswerBody;
	/** Empty where there is none. */
	readonly contentType: string;
}

/**
 * Sends a request until there is an answer that is a success.
 *
 * @throws ProviderError, or why the call ended.
 */
export async function post(
	request: PostRequest,
	settings: CallSettings & Endpoint,
	watch: CallWatch,
	attempts: Attempts,
): Promise<Answer> {
	const { url, body, headers, isBinary = false } = request;
	const limits = { ...settings, isBinary };
	const response = await send(
		{
			...settings,
			url,
			body,
			headers,
			onAttempt() {
				attempts.count += 1;
			},
			async toFailure(refused, retryAfterMs) {
				const { status, headers } = refused;
				const text = await openAnswer(refused, watch, { ...settings, isBinary: false }).errorText();
				const failure = request.readError({ status, headers, text });
				const { isPassing = isRetriedStatus(status) } = failure;
				return { error: toProviderError(failure, settings, { status, retryAfterMs }), isPassing };
			},
		},
		watch,
	);
	const contentType = response.headers.get("content-type") ?? "";
	return { body: openAnswer(response, watch, limits), contentType };
}
