import type { MiddlewareHandler } from "hono";
import type { ServiceEnvironment } from "../service-context";
import type { ErrorFormat } from "./error-format";

/** Handler that gives the errors of a route another form. It comes before all that may fail. */
export const useErrorFormat =
	(format: ErrorFormat): MiddlewareHandler<ServiceEnvironment> =>
	(context, next) => {
		context.set("errorFormat", format);
		return next();
	};
