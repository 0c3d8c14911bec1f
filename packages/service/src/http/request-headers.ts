import { assertDepth } from "../call-depth";
import { createId } from "../create-id";
import { DomainError } from "../errors/domain-error";

const PLAIN_ID = /^[A-Za-z0-9._-]{1,100}$/;

/** The caller's own id where it is plain, so that it can be logged as it is; else a new one. */
export const readRequestId = (header: string | undefined): string =>
	header !== undefined && PLAIN_ID.test(header) ? header : createId("req");

/** @throws DomainError `agent_loop` when services and runtimes call one another in a circle. */
export function readDepth(header: string | undefined): number {
	if (header === undefined) return 0;
	if (!/^\d{1,3}$/.test(header))
		throw new DomainError("invalid_request", "The header stemma-depth must be a number from 0 to 8.", {
			param: "stemma-depth",
		});
	return assertDepth(Number(header));
}
