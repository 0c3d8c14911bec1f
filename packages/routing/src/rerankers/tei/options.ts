import { parseBaseUrl } from "../../http/base-url";
import { type CallOptions, readCallOptions, readModelName, toBearer } from "../../http/call-options";
import { readBatchSize } from "../read-batch-size";
import type { RerankSettings } from "../send-batch";

/** Options for a server of text-embeddings-inference: its address, and how it is called. */
export interface TeiRerankerOptions extends CallOptions {
	/** `http` or `https`, up to and without `/rerank`: `http://localhost:8080`. Neither user info, query nor fragment. */
	readonly baseUrl: string;
	/**
	 * Name of the served model, for receipts: a server has one model, so requests do not name it. Default `default`.
	 */
	readonly model?: string | undefined;
	/** Sent as `Authorization: Bearer`. Left out for servers without keys. */
	readonly apiKey?: string | undefined;
	/**
	 * Maximum number of texts in one request. Default 32, as the server's `--max-client-batch-size`; a lower limit of
	 * the server is detected.
	 */
	readonly batchSize?: number | undefined;
}

const BASE_URL_FORMAT = {
	example: "Write it as `http://localhost:8080`, up to and without `/rerank`.",
	suffix: /\/rerank$/,
};
const DEFAULT_BATCH_SIZE = 32;

/** @throws ConfigurationError that names the option, without a word of a key. */
export function readOptions(options: TeiRerankerOptions): RerankSettings {
	const { baseUrl, host } = parseBaseUrl(options.baseUrl, BASE_URL_FORMAT);
	const settings = readCallOptions(options);
	const headers = { ...toBearer(options.apiKey), ...settings.headers };
	return {
		...settings,
		headers,
		url: `${baseUrl}/rerank`,
		vendorHost: host,
		model: readModelName(options.model ?? "default"),
		hasKey: headers.authorization !== undefined,
		api: "servers of text-embeddings-inference",
		baseUrlHint: "Check {baseUrl}: with `/rerank` behind it, it is where the server answers.",
		batchSize: readBatchSize(options.batchSize ?? DEFAULT_BATCH_SIZE),
	};
}
