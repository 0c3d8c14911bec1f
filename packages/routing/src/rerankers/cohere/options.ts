import { parseBaseUrl } from "../../http/base-url";
import {
	type CallOptions,
	readCallOptions,
	readModelName,
	rejectOption,
	toBearer,
} from "../../http/call-options";
import { readBatchSize } from "../read-batch-size";
import type { RerankSettings } from "../send-batch";
import { type CohereVendor, isVendor, toVendor, VENDORS, type VendorShape } from "./vendors";

/** Options for a reranker: its address, and how it is called. */
export interface CohereRerankerOptions extends CallOptions {
	/**
	 * `http` or `https`, up to and without `/rerank`: `https://api.cohere.com/v2`. Of Cohere, Jina, Voyage and Together the
	 * host is enough. Neither user info, query nor fragment.
	 */
	readonly baseUrl: string;
	/** Model's name at the endpoint: `rerank-v3.5`. */
	readonly model: string;
	/** Sent as `Authorization: Bearer`. Left out for endpoints without keys, as local servers are. */
	readonly apiKey?: string | undefined;
	/** Vendor whose variant of the format the endpoint uses. Default: derived from the host, else `other`. */
	readonly vendor?: CohereVendor | undefined;
	/**
	 * Maximum number of texts in one request; longer lists are sent in parts. Default 1,000, which all vendors take.
	 */
	readonly batchSize?: number | undefined;
}

/** The options, checked and complete. */
export interface Settings extends RerankSettings {
	readonly shape: VendorShape;
}

const BASE_URL_FORMAT = {
	example: "Write it as `https://api.cohere.com/v2`, up to and without `/rerank`.",
	suffix: /\/rerank$/,
};
const DEFAULT_BATCH_SIZE = 1_000;

/** @throws ConfigurationError that names the option, without a word of a key. */
export function readOptions(options: CohereRerankerOptions): Settings {
	const { baseUrl, host } = parseBaseUrl(options.baseUrl, BASE_URL_FORMAT);
	const settings = readCallOptions(options);
	const headers = { ...toBearer(options.apiKey), ...settings.headers };
	const vendor = options.vendor ?? toVendor(host);
	if (!isVendor(vendor)) rejectOption("vendor", `one of ${Object.keys(VENDORS).join(", ")}`);
	const shape = VENDORS[vendor];
	const hasPath = new URL(baseUrl).pathname !== "/";
	return {
		...settings,
		headers,
		url: `${baseUrl}${hasPath ? "" : shape.path}/rerank`,
		vendorHost: host,
		model: readModelName(options.model),
		hasKey: headers.authorization !== undefined,
		api: "rerankers of Cohere's format",
		baseUrlHint: "Check {baseUrl}: with `/rerank` behind it, it is where the reranker answers.",
		batchSize: readBatchSize(options.batchSize ?? DEFAULT_BATCH_SIZE),
		shape,
	};
}
