import { type BaseUrl, parseBaseUrl } from "../http/base-url";
import {
	type CallOptions,
	type CallSettings,
	readCallOptions,
	readModelName,
	toBearer,
} from "../http/call-options";
import type { Endpoint } from "../http/to-provider-error";
import { type CapabilityCache, sharedCapabilityCache } from "./capability-cache";

/** Options for a model: its address, and how it is called. */
export interface OpenAiCompatibleOptions extends CallOptions {
	/**
	 * `http` or `https`, up to and without `/chat/completions`: `https://api.openai.com/v1`. Neither user info, query nor
	 * fragment.
	 */
	readonly baseUrl: string;
	/** Model's name at the endpoint. */
	readonly model: string;
	/** Sent as `Authorization: Bearer`. Left out for endpoints without keys, as local servers are. */
	readonly apiKey?: string | undefined;
	/**
	 * Cache of what the endpoint turned out not to support. Default: one for all models of the process. It does not
	 * tell one
	 * key from another: where several tenants share an endpoint, give each a cache of its own, or what one of them is
	 * refused
	 * is left out for all.
	 */
	readonly capabilityCache?: CapabilityCache | undefined;
}

/** The options, checked and complete. */
export interface Settings extends CallSettings, Endpoint {
	/** Base URL, without a slash at its end. */
	readonly baseUrl: string;
	readonly capabilityCache: CapabilityCache;
}

const BASE_URL_FORMAT = {
	example: "Write it as `https://api.openai.com/v1`, up to and without `/chat/completions`.",
	suffix: /\/(chat\/completions|embeddings)$/,
};

/**
 * The endpoint that a `baseUrl` names, as it is called: host in lower case, no usual port, and nothing of what people paste
 * behind it.
 *
 * @throws ConfigurationError, which does not repeat the URL: there may be a secret in it. Code `base_url_not_plain` for
 * user info, query or fragment.
 */
export const parseOpenAiBaseUrl = (baseUrl: string): BaseUrl => parseBaseUrl(baseUrl, BASE_URL_FORMAT);

/** @throws ConfigurationError that names the option, without a word of a key. */
export function readOptions(options: OpenAiCompatibleOptions): Settings {
	const { baseUrl, host } = parseOpenAiBaseUrl(options.baseUrl);
	const settings = readCallOptions(options);
	const headers = { ...toBearer(options.apiKey), ...settings.headers };
	return {
		...settings,
		headers,
		baseUrl,
		capabilityCache: options.capabilityCache ?? sharedCapabilityCache,
		vendorHost: host,
		model: readModelName(options.model),
		hasKey: headers.authorization !== undefined,
		api: "OpenAI's chat completions",
		baseUrlHint: "Check {baseUrl}: at most endpoints it ends in `/v1`.",
	};
}
