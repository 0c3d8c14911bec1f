import { assertContentLength, BodyCollector, createBodyMeter } from "@stemma/protocol";
import { BODY_BYTES_PER_REQUEST } from "../../auth/authenticator";
import type { Caller } from "../../auth/caller";
import { DomainError } from "../../errors/domain-error";
import type { Workspace } from "../../workspaces/workspace";
import { assertSameCaller } from "../auth/session-caller";
import type { ServiceContext } from "../service-context";
import { chargeBody } from "./body-account";
import { readAtMinimumRate } from "./minimum-rate";

/**
 * The whole body, and no more than `maxBytes` of it in memory.
 *
 * @throws DomainError `body_too_large`, as soon as that is known; `too_many_bytes` where too many bodies are in memory already.
 */
export async function readBody(context: ServiceContext, maxBytes: number): Promise<Uint8Array> {
	assertContentLength(context.req.header("content-length"), maxBytes);
	const body = new BodyCollector(maxBytes);
	for await (const chunk of readChargedChunks(context)) body.add(chunk);
	const bytes = body.toBytes();
	if (bytes.byteLength >= BODY_BYTES_PER_REQUEST) await waitForParseTurn(context, bytes.byteLength);
	return bytes;
}

/**
 * The body in the pieces in which it comes; whoever reads it keeps them until the request is answered.
 *
 * @throws DomainError `too_many_bytes` where too many bodies are in memory already; as {@link readChunks} does.
 */
export async function* readChargedChunks(context: ServiceContext): AsyncGenerator<Uint8Array> {
	const count = createBodyMeter((bytes) => chargeBody(context, bytes));
	for await (const chunk of readChunks(context)) {
		count(chunk.byteLength);
		yield chunk;
	}
}

/** Parsing a large body takes the main thread for a while: it counts as several requests, and waits for the workspace's turn. */
async function waitForParseTurn(context: ServiceContext, bytes: number): Promise<void> {
	// Open routes have no caller, and some routes no workspace.
	const caller: Caller | undefined = context.get("caller");
	const workspace: Workspace | undefined = context.get("workspace");
	if (caller !== undefined) context.get("kernel").authenticator.countBody(caller, bytes);
	if (workspace !== undefined) await waitForMainThread(context);
}

/**
 * The body in the pieces in which it comes; none where there is no body.
 *
 * @throws DomainError `request_timeout` for one that comes too slowly; `invalid_request` for a client that goes away half-way,
 * which is no failure of the service; at the end, as {@link assertSameCaller} does.
 */
export async function* readChunks(context: ServiceContext): AsyncGenerator<Uint8Array> {
	const { body, signal } = context.req.raw;
	if (body === null) return;
	try {
		for await (const chunk of readAtMinimumRate(body as ReadableStream<Uint8Array>)) {
			// What has come before the client left is of no use to anybody.
			signal.throwIfAborted();
			yield chunk;
		}
	} catch (cause) {
		if (cause instanceof DomainError) throw cause;
		throw new DomainError("invalid_request", "The request was closed before its body was complete.", {
			cause,
		});
	}
	await assertSameCaller(context);
}

/** Waits until it is the workspace's turn to have more of a long body parsed. */
export const waitForMainThread = (context: ServiceContext): Promise<void> =>
	context.get("kernel").turns.wait(context.get("workspace").id, context.req.raw.signal);
