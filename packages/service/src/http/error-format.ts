import type { MiddlewareHandler } from "hono";
import type { DomainError } from "../errors/domain-error";
import type { ServiceEnvironment } from "./service-context";

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

/** Handler that gives the errors of a route another form. It comes before all that may fail. */
export const useErrorFormat =
	(format: ErrorFormat): MiddlewareHandler<ServiceEnvironment> =>
	(context, next) => {
		context.set("errorFormat", format);
		return next();
	};
