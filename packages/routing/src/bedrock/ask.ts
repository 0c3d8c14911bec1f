import type { ChatRequest } from "@stemma/core";
import type { Attempts } from "../http/attempts";
import type { CallWatch } from "../http/call-watch";
import { type Answer, post, type Refusal } from "../http/post";
import type { VendorFailure } from "../http/to-provider-error";
import { type Authorizer, createAuthorizer } from "./authorize";
import { adaptDialect, type Dialect, FULL_DIALECT } from "./dialect";
import { readErrorAnswer } from "./map-error";
import type { Settings } from "./options";
import { type ConverseRequest, toRequest } from "./to-request";

/** Sends a request. Throws a `ProviderError`, or why the call ended. */
export type Ask = (
	request: ChatRequest,
	isStreamed: boolean,
	watch: CallWatch,
	attempts: Attempts,
) => Promise<Asked>;

export interface Asked {
	readonly answer: Answer;
	readonly asked: ConverseRequest;
}

/** What the vendor refused last, and what it means. */
interface Refused {
	readonly date: string | null;
	readonly failure: VendorFailure;
}

/** Asks one model, and asks again without a field that it turns out not to take, or by the vendor's clock. */
export function createAsk(settings: Settings): Ask {
	const authorizer = createAuthorizer(settings);
	/** Learnt from what the vendor refuses, so that later calls need not find out again. */
	let dialect = FULL_DIALECT;

	return async (request, isStreamed, watch, attempts) => {
		let isClockSet = false;
		for (let current = dialect; ; ) {
			const asked = toRequest(request, current);
			const streamed = isStreamed && canReadEvents() && streams(asked, current);
			const { call, refusal } = createCall(settings, authorizer, asked, streamed);
			try {
				const answer = await post(call, settings, watch, attempts);
				dialect = current;
				return { answer, asked };
			} catch (error) {
				const { date = null, failure = undefined } = refusal() ?? {};
				if (failure?.code === "clock_skew" && !isClockSet && authorizer.setClock(date)) {
					isClockSet = true;
					continue;
				}
				const next = failure?.isUnknownField ? adaptDialect(current, failure.field) : undefined;
				if (next === undefined) throw error;
				current = next;
			}
		}
	};
}

function createCall(
	{ baseUrl, model, region }: Settings,
	authorizer: Authorizer,
	{ body }: ConverseRequest,
	isStreamed: boolean,
) {
	const operation = isStreamed ? "converse-stream" : "converse";
	const url = `${baseUrl}/model/${encodeURIComponent(model)}/${operation}`;
	const text = JSON.stringify(body);
	const headers = {
		accept: isStreamed ? "application/vnd.amazon.eventstream" : "application/json",
		"content-type": "application/json",
	};
	let refused: Refused | undefined;
	const call = {
		url,
		body: text,
		headers: () => authorizer.toHeaders(url, text, headers),
		isBinary: isStreamed,
		readError(refusal: Refusal) {
			const failure = readErrorAnswer(refusal, { model, region });
			refused = { date: refusal.headers.get("date"), failure };
			return failure;
		},
	};
	return { call, refusal: () => refused };
}

/** Events are bytes: where nothing decodes them (React Native, which streams no bodies either), all comes at once. */
const canReadEvents = (): boolean => typeof TextDecoder === "function";

const streams = ({ body }: ConverseRequest, dialect: Dialect): boolean =>
	!dialect.has("tools in a stream") || body.toolConfig === undefined;
