import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { sendRaw } from "../raw-response.ts";
import type { Behaviour, SimulatedFailure, SimulatedReply } from "./behaviour.ts";
import type { EmbeddingLimits } from "./check-embeddings.ts";
import { type ResponseMetadata, toChunks, toCompletion } from "./completion.ts";
import { toEmbeddings } from "./embedding.ts";
import type { Fields } from "./field-checks.ts";
import type { VendorError } from "./rejection.ts";

/** Does with a request what the behaviour says. */
export async function respond(
	response: ServerResponse,
	behaviour: Behaviour,
	metadata: ResponseMetadata,
	request: Fields,
	limits: EmbeddingLimits,
): Promise<void> {
	if (behaviour.kind === "silence") return;
	if (behaviour.kind === "failure") return sendFailure(response, behaviour);
	if (behaviour.kind === "raw") return sendRaw(response, behaviour);
	if (behaviour.delayMs !== undefined) await sleep(behaviour.delayMs);
	if (behaviour.kind === "embeddings")
		return sendJson(response, 200, toEmbeddings(behaviour, request, limits));
	if (request.stream === true) return sendStream(response, behaviour, toChunks(behaviour, metadata, request));
	sendJson(response, 200, toCompletion(behaviour, metadata, request));
}

export function sendError(response: ServerResponse, status: number, error: VendorError): void {
	sendJson(response, status, { error });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(body, null, 2));
}

function sendFailure(response: ServerResponse, failure: SimulatedFailure): void {
	const { status, headers, body } = failure;
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(body ?? JSON.stringify({ error: toVendorError(failure) }, null, 2));
}

const toVendorError = ({ status, message, type, code, param }: SimulatedFailure): VendorError => ({
	message: message ?? "The server had an error while processing your request. Sorry about that!",
	type: type ?? (status >= 500 ? "server_error" : "invalid_request_error"),
	param: param ?? null,
	code: code ?? null,
});

async function sendStream(
	response: ServerResponse,
	{ fault, held, pauseMs = 0 }: SimulatedReply,
	chunks: readonly object[],
): Promise<void> {
	response.writeHead(200, {
		"content-type": "text/event-stream; charset=utf-8",
		"cache-control": "no-cache",
	});
	const middle = Math.floor(chunks.length / 2);
	for (const [index, chunk] of chunks.slice(0, fault?.after).entries()) {
		if (index === middle) await held;
		response.write(`data: ${JSON.stringify(chunk)}\n\n`);
		if (pauseMs > 0) await sleep(pauseMs);
		if (response.destroyed) return;
	}
	if (fault === undefined) {
		response.write("data: [DONE]\n\n");
		if (pauseMs > 0) await sleep(pauseMs);
		response.end();
	} else if (fault.kind === "end") response.end();
	else if (fault.kind === "error")
		response.end(`data: ${JSON.stringify({ error: toVendorError({ kind: "failure", status: 500 }) })}\n\n`);
	else if (fault.kind === "cut")
		response.write('data: {"id":"chatcmpl-cut","choi', () => response.destroy(new Error("Cut on purpose.")));
}
