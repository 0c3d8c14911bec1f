import type { ChatReply, TokenUsage } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { asList, asObject, type Fields } from "../http/lenient-json";
import type { VendorFailure } from "../http/to-provider-error";
import { readFailure, UNEXPECTED_FORMAT } from "./map-error";
import type { Origin } from "./provider-metadata";
import { EMPTY_STREAM, findEndFailure, readChunk, reduceChunk, toReply } from "./stream-reducer";

/** Outcome of reading a response that is not streamed. */
export type ReadResponse =
	| { readonly reply: ChatReply }
	| { readonly failure: VendorFailure; readonly usage?: TokenUsage | undefined };

/** The body of an answer that is not streamed: the same as a stream of one chunk. */
export function fromResponse(text: string, origin: Origin): ReadResponse {
	const body = readChunk(text) ?? {};
	const { state } = reduceChunk(EMPTY_STREAM, body);
	const failure =
		readFailure(body) ?? state.failure ?? (hasMessage(body) ? findEndFailure(state) : UNEXPECTED_FORMAT);
	return failure === undefined ? { reply: toReply(state, origin) } : { failure, usage: state.usage };
}

/** Checks whether a response has a message. The older format, which has texts without messages, is not read. */
function hasMessage({ choices }: Fields): boolean {
	const { message, delta } = asObject(asList(choices)[0]);
	return isJsonObject(message) || isJsonObject(delta);
}
