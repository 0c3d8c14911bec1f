import { createBodyMeter } from "@stemma/protocol";
import { HttpError } from "../http-error";

/** Bytes of request bodies that are in memory, from when they come until their requests are answered. */
export interface BodyBudget {
	/** Opens the share of one request; it is to be released when the request is answered. */
	open(): BodyShare;
}

export interface BodyShare {
	/** Counts bytes that have come. @throws HttpError 503 `too_many_bytes` where there is no room for them. */
	add(bytes: number): void;
	/** Gives all back. May be called again. */
	release(): void;
}

/** Bytes of all bodies together. */
export const MAX_BODIES_BYTES = 64_000_000;
export function createBodyBudget(): BodyBudget {
	let used = 0;
	return {
		open() {
			let counted = 0;
			return {
				add: createBodyMeter((bytes) => {
					if (used + bytes > MAX_BODIES_BYTES) throw tooManyBytes();
					used += bytes;
					counted += bytes;
				}),
				release() {
					used -= counted;
					counted = 0;
				},
			};
		},
	};
}

const tooManyBytes = (): HttpError =>
	new HttpError(503, "The runtime has no room for more large requests at the moment.", {
		code: "too_many_bytes",
		hint: "Try again in a second, with fewer requests at once.",
		retryAfterSeconds: 1,
	});
