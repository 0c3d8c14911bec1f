import type { TokenUsage } from "@stemma/core";
import type { Attempts } from "../http/attempts";
import type { CallSettings } from "../http/call-options";
import type { CallTimeout } from "../http/call-timeout";
import { type ErrorResponse, type HttpResponse, sendWithRetry } from "../http/send-with-retry";
import { type Endpoint, toProviderError, type VendorFailure } from "../http/to-provider-error";

/** Settings that every reranking endpoint has. */
export interface RerankSettings extends CallSettings, Endpoint {
	readonly url: string;
	/** Maximum number of texts in one request. */
	readonly batchSize: number;
}

/** Format of an endpoint: its requests, responses and errors. */
export interface RerankWire {
	/** The name of the format. */
	readonly provider: string;
	/** The body of a request, as an object. */
	toRequest(query: string, texts: readonly string[]): object;
	fromResponse(text: string, count: number): ReadBatch;
	readError(errorResponse: ErrorResponse): BatchFailure;
}

/** Endpoint's response for some texts: its scores unchanged, in the texts' order. */
export interface BatchReply {
	readonly scores: readonly number[];
	readonly usage: TokenUsage | undefined;
}

export type ReadBatch = BatchReply | { readonly failure: VendorFailure };

export interface BatchFailure extends VendorFailure {
	/** Fewer texts would do: there are too many (`count`), or they are too long together (`length`). */
	readonly exceededLimit?: "count" | "length";
}

/** Sends some texts. Gives why they were too much at once, where fewer may do. */
export async function sendBatch(
	wire: RerankWire,
	settings: RerankSettings,
	{ query, texts }: { readonly query: string; readonly texts: readonly string[] },
	callTimeout: CallTimeout,
	attempts: Attempts,
): Promise<BatchReply | "count" | "length"> {
	const headers = { accept: "application/json", "content-type": "application/json", ...settings.headers };
	let failure: BatchFailure | undefined;
	const request = {
		url: settings.url,
		body: JSON.stringify(wire.toRequest(query, texts)),
		headers: () => headers,
		readError(errorResponse: ErrorResponse) {
			failure = wire.readError(errorResponse);
			return failure;
		},
	};
	let httpResponse: HttpResponse;
	try {
		httpResponse = await sendWithRetry(request, settings, callTimeout, attempts);
	} catch (error) {
		if (failure?.exceededLimit === undefined || texts.length === 1) throw error;
		return failure.exceededLimit;
	}
	const read = wire.fromResponse(await httpResponse.body.text(), texts.length);
	if ("failure" in read) throw toProviderError(read.failure, settings);
	return read;
}
