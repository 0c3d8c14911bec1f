import { parseBaseUrl } from "../../http/base-url";
import { type CallOptions, readCallOptions, readModelName, toBearer } from "../../http/call-options";
import { readBatchSize } from "../read-batch-size";
import type { RerankSettings } from "../send-batch";

/** Where a server of text-embeddings-inference is, and how it is asked. */
export interface TeiRerankerOptions extends CallOptions {
	/** `http` or `https`, up to and without `/rerank`: `http://localhost:8080`. Neither user info, query nor fragment. */
	readonly baseUrl: string;
	/** What it serves, for receipts: a server has one model, and is not told. Default `default`. */
	readonly model?: string | undefined;
	/** Sent as `Authorization: Bearer`. Left out for servers without keys. */
	readonly apiKey?: string | undefined;
	/**
	 * How many texts go into one request. Default 32, as the server's `--max-client-batch-size`; where it takes fewer, that
	 * is found out.
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
		baseUrlHint: "Check `baseUrl`: with `/rerank` behind it, it is where the server answers.",
		batchSize: readBatchSize(options.batchSize ?? DEFAULT_BATCH_SIZE),
	};
}
