import { clock, createIdGenerator, randomBytes } from "@stemma/core/internal";
import type { HttpRequest } from "../http-exchange";

const PLAIN = /^[A-Za-z0-9._-]{1,100}$/;

/** The request's own id where it is plain, else a new one. */
export function resolveRequestId(request: HttpRequest): string {
	const id = request.header("x-request-id");
	return id !== undefined && PLAIN.test(id) ? id : createRequestId();
}

/** `req_…` */
export const createRequestId = (): string => createRuntimeId("req");

const createRuntimeId = createIdGenerator(clock.now, randomBytes);
