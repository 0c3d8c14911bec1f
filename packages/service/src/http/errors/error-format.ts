import type { DomainError } from "../../errors/domain-error";

/** Error in the words of a protocol that has its own. */
export interface FormattedError {
	readonly status: number;
	readonly body: object;
}

/**
 * Converts errors for the routes of a protocol.
 *
 * @param status - that of the service's own routes.
 * @param authorization - header of the request.
 */
export type ErrorFormat = (
	error: DomainError,
	status: number,
	authorization: string | undefined,
) => FormattedError;
