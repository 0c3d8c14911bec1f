import { type BodyReader, openBody } from "./body-reader";
import type { CallTimeout } from "./call-timeout";
import { toNetworkError } from "./to-network-error";
import { type Endpoint, toProviderError, toTimeoutError } from "./to-provider-error";

/** The longest answer, in bytes; nothing that a model writes is near. */
const MAX_BODY_LENGTH = 64 * 1024 * 1024;
/** Maximum length of an error that is read, in UTF-16 code units. */
const MAX_ERROR_CHARACTERS = 64 * 1024;
/**
 * Timeout for the body of an error, in milliseconds. The status is known already, so the text is worth no longer wait.
 */
const ERROR_BODY_TIMEOUT_MS = 5_000;

/** The body of one answer, under the limits of its call. */
export interface ResponseBody {
	/** The next piece; undefined at the end. Text where the platform streams no bodies, unless they are binary. */
	read(): Promise<Uint8Array | string | undefined>;
	/**
	 * Restarts the idle timeout, because a part that counts has come.
	 *
	 * @throws why the call ended, if it did.
	 */
	resetIdleTimer(): void;
	/** All of it. */
	text(): Promise<string>;
	/** Reads as much of an error as arrives in a short time. */
	errorText(): Promise<string>;
	/** Leaves the rest: what is wanted no more is stopped, what is merely unread runs out. */
	release(isComplete: boolean): void;
}

export interface ResponseLimits extends Endpoint {
	readonly idleTimeoutMs: number;
}

/** Silence is measured while waiting for the vendor alone, and keep-alives do not break it. */
export function openResponseBody(
	response: Response,
	callTimeout: CallTimeout,
	limits: ResponseLimits,
	isBinary = false,
): ResponseBody {
	const body = openBody(response, isBinary);
	const read = limitChunks(body, callTimeout, limits);

	async function text(maxCharacters = Number.POSITIVE_INFINITY): Promise<string> {
		const decode = createChunkDecoder();
		let received = "";
		for (let chunk = await read(); chunk !== undefined; chunk = await read()) {
			const part = decode(chunk);
			if (/\S/.test(part)) callTimeout.disarm();
			received += part;
			if (received.length > maxCharacters) break;
		}
		callTimeout.disarm();
		return received;
	}

	return {
		read,
		resetIdleTimer() {
			callTimeout.disarm();
			callTimeout.throwIfEnded();
		},
		text: () => text(),
		async errorText() {
			callTimeout.disarm();
			// What is cancelled has ended: what has come until then is all. Set before silence is measured, so first.
			const timer = setTimeout(body.cancel, Math.min(ERROR_BODY_TIMEOUT_MS, limits.idleTimeoutMs));
			const errorBody = await text(MAX_ERROR_CHARACTERS).catch(() => "");
			clearTimeout(timer);
			callTimeout.throwIfEnded();
			body.cancel();
			return errorBody;
		},
		release: body.release,
	};
}

/** The decoder is made late: where `fetch` gives whole texts (React Native) there may be none. */
function createChunkDecoder(): (chunk: Uint8Array | string) => string {
	let decoder: TextDecoder | undefined;
	return (chunk) => {
		if (typeof chunk === "string") return chunk;
		decoder ??= new TextDecoder();
		return decoder.decode(chunk, { stream: true });
	};
}

function limitChunks(
	body: BodyReader,
	callTimeout: CallTimeout,
	limits: ResponseLimits,
): ResponseBody["read"] {
	const toIdleError = (): Error => toTimeoutError("idleTimeoutMs", limits);
	let length = 0;
	return async () => {
		callTimeout.arm(limits.idleTimeoutMs, toIdleError);
		let chunk: Uint8Array | string | undefined;
		try {
			chunk = (await callTimeout.guard(body.read())).value;
		} catch (cause) {
			callTimeout.throwIfEnded();
			throw toNetworkError(cause, "stream_truncated", limits);
		}
		length += chunk?.length ?? 0;
		if (length > MAX_BODY_LENGTH) throw toProviderError({ code: "bad_response" }, limits);
		return chunk;
	};
}
