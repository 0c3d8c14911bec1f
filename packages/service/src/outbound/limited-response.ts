import type { Response as UndiciResponse } from "undici";
import { OutboundError } from "./outbound-error";

/** Limits of a response, which is cut off where it is too long. */
export interface ResponseLimits {
	/** Maximum size of the body as it is read, after decompression. */
	readonly maxBytes: number;
	/** The body has ended, or nobody wants more of it. */
	onEnd(): void;
}

/**
 * An answer as one of the platform's own, whose body fails where it is longer than may be. It is read as fast as its
 * reader reads, and no faster.
 *
 * @throws OutboundError where it is no answer by the rules of HTTP.
 */
export function toLimitedResponse(response: UndiciResponse, limits: ResponseLimits): Response {
	const { status, statusText, headers, body } = response;
	if (body === null) limits.onEnd();
	const limited = body && limitBody(body, limits);
	try {
		return new Response(limited, { status, statusText, headers: [...headers] });
	} catch {
		limited?.cancel().catch(() => undefined);
		throw new OutboundError(
			"bad_response",
			"The called address did not send a valid HTTP response.",
			"Check the address.",
		);
	}
}

function limitBody(
	body: NonNullable<UndiciResponse["body"]>,
	{ maxBytes, onEnd }: ResponseLimits,
): ReadableStream<Uint8Array<ArrayBuffer>> {
	const reader = body.getReader();
	let length = 0;

	async function read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
		const { value } = await reader.read();
		length += value?.byteLength ?? 0;
		if (length <= maxBytes) return value;
		reader.cancel().catch(() => undefined);
		throw toTooLargeError(maxBytes);
	}

	return new ReadableStream(
		{
			async pull(controller) {
				try {
					const chunk = await read();
					if (chunk !== undefined) return controller.enqueue(chunk);
					controller.close();
				} catch (error) {
					controller.error(error);
				}
				onEnd();
			},
			cancel(reason) {
				onEnd();
				return reader.cancel(reason);
			},
		},
		{ highWaterMark: 0 },
	);
}

const toTooLargeError = (maxBytes: number): OutboundError =>
	new OutboundError(
		"response_too_large",
		`The answer is longer than ${maxBytes.toLocaleString("en")} bytes, the maximum that is read.`,
		"Ask for less, or check the address.",
	);
