import type { Attempts } from "../http/attempts";
import type { CallTimeout } from "../http/call-timeout";
import type { Fields } from "../http/lenient-json";
import { type HttpResponse, sendWithRetry } from "../http/send-with-retry";
import type { SettingName } from "../http/unsupported-setting";
import { type Dialect, type Feature, toTokenLimit } from "./dialect";
import { type ParsedError, parseError } from "./map-error";
import type { Settings } from "./options";

/** One question to an endpoint. */
export interface EndpointRequest {
	/** Path that follows the base URL. */
	readonly path: string;
	/** The type of the answer that is wanted. */
	readonly accept: string;
	/** Creates the body of the request in the variant of the format that the endpoint takes. */
	toBody(dialect: Dialect): Fields;
	/** The setting that a field stands for which must be kept: its refusal ends the call. */
	findSetting?(field: string): SettingName | undefined;
	/** The last look at a refusal that no other words can change. */
	onErrorResponse?(parsedError: ParsedError): void;
}

/** Maximum number of features that one call leaves out, one after the other, before a refusal counts as final. */
const MAX_DIALECT_CHANGES = 5;

/**
 * Asks an endpoint, and asks again without what it refuses. What was learned is cached once there is an answer.
 *
 * @throws ProviderError, or why the call ended.
 */
export async function sendRequest(
	request: EndpointRequest,
	settings: Settings,
	callTimeout: CallTimeout,
	attempts: Attempts,
): Promise<HttpResponse> {
	const unsupported = new Set(readUnsupported(settings));
	const learned = new Set<Feature>();
	const dialect = { tokenLimit: toTokenLimit(settings.vendorHost), unsupported };
	for (let changes = 0; ; changes++) {
		const body = request.toBody(dialect);
		let parsedError: ParsedError | undefined;
		const httpRequest = toHttpRequest(request, body, settings, (newError) => {
			parsedError = newError;
		});
		try {
			const response = await sendWithRetry(httpRequest, settings, callTimeout, attempts);
			if (learned.size > 0) cacheUnsupported(settings, learned);
			return response;
		} catch (error) {
			const { feature, isPermanent } = parsedError?.feature ?? {};
			if (parsedError !== undefined) request.onErrorResponse?.(parsedError);
			// What is not sent cannot be refused; should it be, the call must end all the same.
			if (feature === undefined || unsupported.has(feature) || changes === MAX_DIALECT_CHANGES) throw error;
			unsupported.add(feature);
			if (isPermanent) learned.add(feature);
		}
	}
}

function toHttpRequest(
	{ path, accept, findSetting }: EndpointRequest,
	body: Fields,
	settings: Settings,
	onErrorResponse: (parsedError: ParsedError) => void,
): Parameters<typeof sendWithRetry>[0] {
	const headers = { accept, "content-type": "application/json", ...settings.headers };
	return {
		url: settings.baseUrl + path,
		body: JSON.stringify(body),
		headers: () => headers,
		readError({ status, text }) {
			const parsedError = mapSettingError(parseError(status, text, body), findSetting);
			onErrorResponse(parsedError);
			return parsedError.failure;
		},
	};
}

/** A refusal of a setting that must be kept is one of the whole call. */
function mapSettingError(parsedError: ParsedError, findSetting: EndpointRequest["findSetting"]): ParsedError {
	const { feature, ...rest } = parsedError;
	const setting = feature && findSetting?.(feature.feature);
	if (setting === undefined) return parsedError;
	return { ...rest, failure: { code: "unsupported_parameter", field: setting } };
}

/** Returns the cache key of one model at one endpoint. */
export const toCacheKey = ({ baseUrl, model }: Settings): string => `${baseUrl} ${model}`;

// A cache may come from elsewhere; names that are none of these are never asked for.
const readUnsupported = (settings: Settings): readonly Feature[] =>
	(settings.capabilityCache.get(toCacheKey(settings))?.unsupported ?? []) as readonly Feature[];

function cacheUnsupported(settings: Settings, learned: ReadonlySet<Feature>): void {
	const key = toCacheKey(settings);
	// Read anew: other calls have learned meanwhile.
	const known = settings.capabilityCache.get(key);
	settings.capabilityCache.set(key, {
		...known,
		unsupported: [...new Set([...(known?.unsupported ?? []), ...learned])],
	});
}
