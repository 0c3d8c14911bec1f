import { createId } from "@stemma/core/internal";
import { randomBytes } from "../platform/random-bytes";

const PLAIN = /^[A-Za-z0-9._-]{1,100}$/;

/** The request's own id where it is plain, else a new one. */
export function resolveRequestId(headers: Headers): string {
	const id = headers.get("x-request-id");
	return id !== null && PLAIN.test(id) ? id : createRequestId();
}

/** `req_…` */
export const createRequestId = (): string => createId("req", Date.now(), randomBytes(10));
