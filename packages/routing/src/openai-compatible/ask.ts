import type { ChatRequest } from "@stemma/core";
import type { CallWatch } from "../http/call-watch";
import { type HttpCall, send } from "../http/send";
import { ProviderError } from "../provider-error";
import { adaptDialect, toDialect } from "./dialect";
import { readErrorAnswer, type VendorFailure } from "./map-error";
import type { Settings } from "./options";
import { toProviderError } from "./provider-errors";
import { type AnswerBody, openAnswer } from "./read-answer";
import { toRequest } from "./to-request";

/** An answer that is a success, so far. */
export interface Answer {
	readonly body: AnswerBody;
	readonly contentType: string;
	readonly attempts: number;
}

/** Sends a request. Throws a `ProviderError`, or why the call ended. */
export type Ask = (request: ChatRequest, isStreamed: boolean, watch: CallWatch) => Promise<Answer>;

/** A call that has failed tells how often it was tried, as one that was answered does. */
export function countAttempts(error: unknown, attempts: number): unknown {
	if (ProviderError.is(error)) error.attempts ??= attempts;
	return error;
}

/** An endpoint may refuse both fields that a dialect is about, one after the other. */
const MOST_DIALECT_CHANGES = 2;

/** Asks one endpoint, and asks again without a field that it turns out not to know. */
export function createAsk(settings: Settings): Ask {
	/** Learnt from what the endpoint refuses, so that later calls need not find out again. */
	let dialect = toDialect(settings.vendorHost);

	return async (request, isStreamed, watch) => {
		let attempts = 0;
		for (let current = dialect, changes = 0; ; changes++) {
			const body = toRequest(request, { model: settings.model, isStreamed, dialect: current });
			let failure: VendorFailure | undefined;
			const call = toCall(body, isStreamed, {
				onAttempt: () => {
					attempts += 1;
				},
				async toError(response, retryAfterMs) {
					const { status } = response;
					const text = await openAnswer(response, watch, settings).errorText();
					failure = readErrorAnswer(status, text, Object.keys(body));
					return toProviderError(failure, settings, { status, retryAfterMs });
				},
			});
			try {
				const response = await send(call, watch);
				dialect = current;
				const contentType = response.headers.get("content-type") ?? "";
				return { body: openAnswer(response, watch, settings), contentType, attempts };
			} catch (error) {
				const next = failure?.isUnknownField ? adaptDialect(current, failure.field) : undefined;
				if (next === undefined || changes === MOST_DIALECT_CHANGES) throw countAttempts(error, attempts);
				current = next;
			}
		}
	};

	function toCall(
		body: object,
		isStreamed: boolean,
		hooks: Pick<HttpCall, "onAttempt" | "toError">,
	): HttpCall {
		const accept = isStreamed ? "text/event-stream" : "application/json";
		const headers = { accept, "content-type": "application/json", ...settings.headers };
		return { ...settings, headers, body: JSON.stringify(body), ...hooks };
	}
}
