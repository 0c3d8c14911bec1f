import { clock, createIdGenerator, randomBytes } from "@stemma/core/internal";
import { readRequestId } from "@stemma/protocol";
import type { HttpRequest } from "../http-exchange";

/** The request's own id where it is plain, else a new one. */
export const resolveRequestId = (request: HttpRequest): string =>
	readRequestId(request.header("x-request-id"), createRequestId);

/** `req_…` */
export const createRequestId = (): string => createRuntimeId("req");

const createRuntimeId = createIdGenerator(clock.now, randomBytes);
