import type { ChatRequest } from "@stemma/core";
import type { Attempts } from "../http/attempts";
import type { CallWatch } from "../http/call-watch";
import { type Answer, post, type Refusal } from "../http/post";
import { toProviderError, type VendorFailure } from "../http/to-provider-error";
import type { SettingName } from "../http/unsupported-setting";
import { ProviderError } from "../provider-error";
import { type Authorizer, createAuthorizer } from "./authorize";
import { readClockOffset } from "./clock";
import { type Dialect, isOptionalField, type OptionalField } from "./dialect";
import { readErrorAnswer } from "./map-error";
import type { Settings } from "./options";
import { findSetting } from "./settings";
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

/** What the vendor refused last, and when by its clock. */
interface Refused {
	readonly date: string | null;
	readonly failure: VendorFailure;
}

/** How many fields one call may find out to be too many. */
const MOST_CHANGES = 3;

/** Asks one model, and asks again without a field that it turns out not to take, or by the vendor's clock. */
export function createAsk(settings: Settings): Ask {
	const authorize = createAuthorizer(settings);
	/** From calls that were answered, so that later ones need not find out again. */
	const learnt = new Set<OptionalField>();
	let clockOffsetMs = 0;
	const signs = settings.secret.apiKey === undefined;

	return async (request, isStreamed, watch, attempts) => {
		const dialect = new Set(learnt);
		const mostFields = dialect.size + MOST_CHANGES;
		let newOffsetMs: number | undefined;
		for (;;) {
			const asked = toRequest(request, dialect);
			const streamed = isStreamed && canReadEvents() && streams(asked, dialect);
			const { call, refusal } = createCall(
				settings,
				authorize,
				asked,
				streamed,
				newOffsetMs ?? clockOffsetMs,
			);
			try {
				const answer = await post(call, settings, watch, attempts);
				for (const field of dialect) learnt.add(field);
				clockOffsetMs = newOffsetMs ?? clockOffsetMs;
				return { answer, asked };
			} catch (error) {
				const { date = null, failure } = refusal() ?? {};
				if (failure?.code === "clock_skew" && signs && newOffsetMs === undefined) {
					newOffsetMs = readClockOffset(date);
					if (newOffsetMs !== undefined) continue;
				}
				const field = failure?.isUnknownField ? failure.field : undefined;
				const setting = field && findSetting(field, request);
				if (setting) throw toUnsupportedError(error, setting, settings);
				if (!isOptionalField(field) || dialect.has(field) || dialect.size === mostFields) throw error;
				dialect.add(field);
			}
		}
	};
}

/** The same failure, of the setting that it is about. */
function toUnsupportedError(error: unknown, setting: SettingName, settings: Settings): ProviderError {
	const { status, usage } = ProviderError.is(error) ? error : {};
	return toProviderError({ code: "unsupported_parameter", field: setting }, settings, { status, usage });
}

function createCall(
	{ baseUrl, model, region }: Settings,
	authorize: Authorizer,
	{ body }: ConverseRequest,
	isStreamed: boolean,
	clockOffsetMs: number,
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
		headers: () => authorize(url, text, headers, clockOffsetMs),
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
