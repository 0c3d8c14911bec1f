import type { ChatRequest } from "@stemma/core";
import type { Attempts } from "../http/attempts";
import type { CallWatch } from "../http/call-watch";
import { type Answer, post } from "../http/post";
import type { VendorFailure } from "../http/to-provider-error";
import { adaptDialect, toDialect } from "./dialect";
import { readErrorAnswer } from "./map-error";
import type { Settings } from "./options";
import { toRequest } from "./to-request";

/** Sends a request. Throws a `ProviderError`, or why the call ended. */
export type Ask = (
	request: ChatRequest,
	isStreamed: boolean,
	watch: CallWatch,
	attempts: Attempts,
) => Promise<Answer>;

/** An endpoint may refuse both fields that a dialect is about, one after the other. */
const MOST_DIALECT_CHANGES = 2;

/** Asks one endpoint, and asks again without a field that it turns out not to know. */
export function createAsk(settings: Settings): Ask {
	/** Learnt from what the endpoint refuses, so that later calls need not find out again. */
	let dialect = toDialect(settings.vendorHost);

	return async (request, isStreamed, watch, attempts) => {
		const accept = isStreamed ? "text/event-stream" : "application/json";
		const headers = { accept, "content-type": "application/json", ...settings.headers };
		for (let current = dialect, changes = 0; ; changes++) {
			const body = toRequest(request, { model: settings.model, isStreamed, dialect: current });
			let failure: VendorFailure | undefined;
			const call = {
				url: `${settings.baseUrl}/chat/completions`,
				body: JSON.stringify(body),
				headers: () => headers,
				readError: ({ status, text }: { readonly status: number; readonly text: string }) => {
					failure = readErrorAnswer(status, text, Object.keys(body));
					return failure;
				},
			};
			try {
				const answer = await post(call, settings, watch, attempts);
				dialect = current;
				return answer;
			} catch (error) {
				const next = failure?.isUnknownField ? adaptDialect(current, failure.field) : undefined;
				if (next === undefined || changes === MOST_DIALECT_CHANGES) throw error;
				current = next;
			}
		}
	};
}
