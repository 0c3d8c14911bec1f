import { ApiError } from "./api-error";
import type { ServiceContext } from "./service-app";

/** A JSON request is no larger unless its route says so. */
export const DEFAULT_MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * The whole body, and no more than `maxBytes` of it in memory.
 *
 * @throws ApiError `body_too_large`, as soon as that is known.
 */
export async function readBody(context: ServiceContext, maxBytes: number): Promise<Uint8Array> {
	if (Number(context.req.header("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
	const { body } = context.req.raw;
	if (body === null) return new Uint8Array();
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of whole(body)) {
		size += chunk.byteLength;
		if (size > maxBytes) throw tooLarge(maxBytes);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** A client that goes away half-way is no failure of the service. */
async function* whole(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
	try {
		yield* body;
	} catch (cause) {
		throw new ApiError(400, "invalid_request", "The body broke off.", { cause });
	}
}

/** What is said of a body that is longer than its route takes. */
export const tooLarge = (maxBytes: number): ApiError =>
	new ApiError(413, "body_too_large", `The body is larger than ${maxBytes.toLocaleString("en")} bytes.`, {
		hint: "Send less at once.",
		details: { max_bytes: maxBytes },
	});
