import { type BodyReader, openBody } from "./body-reader";
import type { CallWatch } from "./call-watch";
import { toNetworkError } from "./to-network-error";
import { type Endpoint, toProviderError, toTimeoutError } from "./to-provider-error";

/** The longest answer, in bytes; nothing that a model writes is near. */
const LONGEST_ANSWER = 64 * 1024 * 1024;
/** As much of an error as is looked at, in UTF-16 code units. */
const LONGEST_ERROR = 64 * 1024;
/** Its status has come: its words are not worth more. */
const ERROR_MS = 5_000;

/** The body of one answer, under the limits of its call. */
export interface AnswerBody {
	/** The next piece; undefined at the end. Text where the platform streams no bodies, unless they are binary. */
	read(): Promise<Uint8Array | string | undefined>;
	/** Something has come that counts: silence is measured anew. @throws why the call ended, if it did. */
	heard(): void;
	/** All of it. */
	text(): Promise<string>;
	/** As much of an error as can be had in a short time. */
	errorText(): Promise<string>;
	/** Leaves the rest: what is wanted no more is stopped, what is merely unread runs out. */
	leave(isComplete: boolean): void;
}

export interface AnswerLimits extends Endpoint {
	readonly silenceMs: number;
}

/** Silence is measured while waiting for the vendor alone, and keep-alives do not break it. */
export function openAnswer(
	response: Response,
	watch: CallWatch,
	limits: AnswerLimits,
	isBinary = false,
): AnswerBody {
	const body = openBody(response, isBinary);
	const read = limitPieces(body, watch, limits);

	async function text(longest = Number.POSITIVE_INFINITY): Promise<string> {
		const decode = createPieceDecoder();
		let whole = "";
		for (let piece = await read(); piece !== undefined; piece = await read()) {
			const part = decode(piece);
			if (/\S/.test(part)) watch.disarm();
			whole += part;
			if (whole.length > longest) break;
		}
		watch.disarm();
		return whole;
	}

	return {
		read,
		heard() {
			watch.disarm();
			watch.throwIfEnded();
		},
		text: () => text(),
		async errorText() {
			watch.disarm();
			// What is cancelled has ended: what has come until then is all. Set before silence is measured, so first.
			const timer = setTimeout(body.cancel, Math.min(ERROR_MS, limits.silenceMs));
			const found = await text(LONGEST_ERROR).catch(() => "");
			clearTimeout(timer);
			watch.throwIfEnded();
			body.cancel();
			return found;
		},
		leave(isComplete) {
			if (isComplete) void body.drain();
			else body.cancel();
		},
	};
}

/** The decoder is made late: where `fetch` gives whole texts (React Native) there may be none. */
function createPieceDecoder(): (piece: Uint8Array | string) => string {
	let decoder: TextDecoder | undefined;
	return (piece) => {
		if (typeof piece === "string") return piece;
		decoder ??= new TextDecoder();
		return decoder.decode(piece, { stream: true });
	};
}

function limitPieces(body: BodyReader, watch: CallWatch, limits: AnswerLimits): AnswerBody["read"] {
	const toSilenceError = (): Error => toTimeoutError("silenceMs", limits);
	let length = 0;
	return async () => {
		watch.arm(limits.silenceMs, toSilenceError);
		let piece: Uint8Array | string | undefined;
		try {
			piece = (await watch.guard(body.read())).value;
		} catch (cause) {
			watch.throwIfEnded();
			throw toNetworkError(cause, "stream_truncated", limits);
		}
		length += piece?.length ?? 0;
		if (length > LONGEST_ANSWER) throw toProviderError({ code: "bad_response" }, limits);
		return piece;
	};
}
