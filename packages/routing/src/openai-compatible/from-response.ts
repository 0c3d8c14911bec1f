import type { ChatReply, TokenUsage } from "@stemma/core";
import { asList, parseObject } from "../http/fields";
import type { VendorFailure } from "../http/to-provider-error";
import { NOT_THE_FORMAT, readFailure } from "./map-error";
import { EMPTY_STREAM, reduceChunk, toReply } from "./stream-reducer";

export type ReadResponse =
	| { readonly reply: ChatReply }
	| { readonly failure: VendorFailure; readonly usage?: TokenUsage | undefined };

/** The body of an answer that is not streamed: the same as a stream of one chunk. */
export function fromResponse(text: string, vendorHost: string): ReadResponse {
	const body = parseObject(text) ?? {};
	const { state } = reduceChunk(EMPTY_STREAM, body);
	const failure = readFailure(body) ?? (asList(body.choices).length === 0 ? NOT_THE_FORMAT : state.failure);
	return failure === undefined ? { reply: toReply(state, vendorHost) } : { failure, usage: state.usage };
}
