import type { ChatRequest } from "@stemma/core";
import type { Attempts } from "../http/attempts";
import type { CallTimeout } from "../http/call-timeout";
import { type ErrorResponse, type HttpResponse, sendWithRetry } from "../http/send-with-retry";
import { toProviderError, type VendorFailure } from "../http/to-provider-error";
import type { SettingName } from "../http/unsupported-setting";
import { ProviderError } from "../provider-error";
import { type Dialect, isOptionalField, type OptionalField } from "./dialect";
import { readErrorResponse } from "./map-error";
import type { Settings } from "./options";
import { findSetting } from "./settings";
import { type Authorizer, createAuthorizer } from "./signing/authorize";
import { readClockOffset } from "./signing/clock-offset";
import { type ConverseRequest, toRequest } from "./to-request";

/** Sends a request. Throws a `ProviderError`, or why the call ended. */
export type SendRequest = (
	request: ChatRequest,
	isStreamed: boolean,
	callTimeout: CallTimeout,
	attempts: Attempts,
) => Promise<SendResult>;

export interface SendResult {
	readonly response: HttpResponse;
	readonly request: ConverseRequest;
}

/** Last refusal of the vendor, and its time by the vendor's clock. */
interface ErrorInfo {
	readonly date: string | null;
	readonly failure: VendorFailure;
}

/** Maximum number of unsupported fields that one call may discover. */
const MAX_DIALECT_CHANGES = 3;

/** Asks one model, and asks again without a field that it turns out not to take, or by the vendor's clock. */
export function createRequestSender(settings: Settings): SendRequest {
	const authorize = createAuthorizer(settings);
	/** Unsupported fields learned from calls that were answered, so that later calls leave them out from the start. */
	const learned = new Set<OptionalField>();
	let clockOffsetMs = 0;
	const isSigned = settings.secret.apiKey === undefined;

	return async (request, isStreamed, callTimeout, attempts) => {
		const dialect = new Set(learned);
		const maxFields = dialect.size + MAX_DIALECT_CHANGES;
		let newOffsetMs: number | undefined;
		for (;;) {
			const converseRequest = toRequest(request, dialect);
			const usesStream = isStreamed && canDecodeEvents() && canStream(converseRequest, dialect);
			const { call, readErrorInfo } = createHttpRequest(
				settings,
				authorize,
				converseRequest,
				usesStream,
				newOffsetMs ?? clockOffsetMs,
			);
			try {
				const response = await sendWithRetry(call, settings, callTimeout, attempts);
				for (const field of dialect) learned.add(field);
				clockOffsetMs = newOffsetMs ?? clockOffsetMs;
				return { response, request: converseRequest };
			} catch (error) {
				const { date = null, failure } = readErrorInfo() ?? {};
				if (failure?.code === "clock_skew" && isSigned && newOffsetMs === undefined) {
					newOffsetMs = readClockOffset(date);
					if (newOffsetMs !== undefined) continue;
				}
				const field = failure?.isUnknownField ? failure.field : undefined;
				const setting = field && findSetting(field, request);
				if (setting) throw toUnsupportedError(error, setting, settings);
				if (!isOptionalField(field) || dialect.has(field) || dialect.size === maxFields) throw error;
				dialect.add(field);
			}
		}
	};
}

/** Converts a failure to an `unsupported_parameter` error that names the setting it is about. */
function toUnsupportedError(error: unknown, setting: SettingName, settings: Settings): ProviderError {
	const { status, usage } = ProviderError.is(error) ? error : {};
	return toProviderError({ code: "unsupported_parameter", field: setting }, settings, { status, usage });
}

function createHttpRequest(
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
	let errorInfo: ErrorInfo | undefined;
	const call = {
		url,
		body: text,
		headers: () => authorize(url, text, headers, clockOffsetMs),
		isBinary: isStreamed,
		readError(errorResponse: ErrorResponse) {
			const failure = readErrorResponse(errorResponse, { model, region });
			errorInfo = { date: errorResponse.headers.get("date"), failure };
			return failure;
		},
	};
	return { call, readErrorInfo: () => errorInfo };
}

/** Events are bytes: where nothing decodes them (React Native, which streams no bodies either), all comes at once. */
const canDecodeEvents = (): boolean => typeof TextDecoder === "function";

const canStream = ({ body }: ConverseRequest, dialect: Dialect): boolean =>
	!dialect.has("tools in a stream") || body.toolConfig === undefined;
