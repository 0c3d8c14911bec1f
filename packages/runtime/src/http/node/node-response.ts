import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { NodeEventSink } from "@stemma/protocol";
import { EventReader } from "../event-reader";
import type { HttpResponse, RunEvents } from "../http-exchange";

/** Sends an answer as Node does. */
export function sendResponse(response: ServerResponse, { status, headers, body }: HttpResponse): void {
	if (response.destroyed) return;
	if (typeof body === "string") {
		response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
		response.end(body);
		return;
	}
	response.writeHead(status, headers);
	if (body === null || response.req.method === "HEAD") response.end();
	else if ("run" in body) sendEvents(response, body);
	else sendStream(response, body);
}

/** Sends the events of a run, as fast as they are read, until they end or the client goes. */
function sendEvents(response: ServerResponse, events: RunEvents): void {
	if (events.run.log.lastSeq <= events.after) response.flushHeaders();
	const sink = new NodeEventSink(response);
	sink.start(new EventReader(events, sink));
}

/**
 * Sends a stream, no faster than it is read. If the stream breaks, its connection is closed, so that the client sees
 * that it is incomplete.
 */
function sendStream(response: ServerResponse, body: ReadableStream<Uint8Array>): void {
	response.flushHeaders();
	// The types of Node know no other streams than its own, which are the same.
	pipeline(Readable.fromWeb(body as NodeStream), response, () => undefined);
}
