import { readDepth } from "@stemma/protocol";
import { Hono } from "hono";
import { DomainError } from "../errors/domain-error";
import type { ServiceKernel } from "../kernel";
import { STEMMA_VERSION } from "../stemma-version";
import { respondToPreflight, setCorsHeaders } from "./auth/cors";
import { releaseBody } from "./body/body-account";
import { respondWithError } from "./errors/error-response";
import { isProbe, logRequest } from "./log-request";
import { allowedMethods, findHandlers, findRoute, isCrossOrigin, toMethod } from "./matching-routes";
import { resolveRequestId } from "./request-id";
import { startRequestSpan } from "./request-span";
import type { ServiceApp, ServiceContext, ServiceEnvironment } from "./service-context";

/** An app without routes, and with all that holds for each of them. */
export function createServiceApp(kernel: ServiceKernel): ServiceApp {
	const app: ServiceApp = new Hono<ServiceEnvironment>();
	app.use(async (context, next) => {
		const startedAt = performance.now();
		const leave = kernel.inFlight.enter();
		// Made when it is first asked for: later, a client that has left meanwhile would be missed.
		void context.req.raw.signal;
		context.set("kernel", kernel);
		context.set("requestId", resolveRequestId(context.req.header("x-request-id")));
		const isProbeRequest = isProbe(context.req.path);
		context.set("span", isProbeRequest ? undefined : startRequestSpan(context, kernel.telemetry));
		try {
			await next();
		} catch (error) {
			// `onError` gets errors alone, and anything may be thrown: the reason of a signal is often a text.
			context.res = respondWithError(context, error);
		} finally {
			leave();
			releaseBody(context);
		}
		context.header("x-request-id", context.get("requestId"));
		context.header("stemma-version", STEMMA_VERSION);
		const ms = performance.now() - startedAt;
		logRequest(context, ms);
		const { status } = context.res;
		const route = findRoute(app, context);
		context.get("span")?.respond(route, status);
		if (!isProbeRequest)
			kernel.telemetry.metrics.countRequest({ method: toMethod(context), route }, status, ms);
	});
	app.use(async (context, next) => {
		if (!isCrossOrigin(findHandlers(app, crossOriginMethod(context), context.req.path))) return next();
		if (context.req.method === "OPTIONS") return respondToPreflight(context);
		await next();
		setCorsHeaders(context);
	});
	app.use(async (context, next) => {
		if (kernel.isShuttingDown() && !isProbe(context.req.path)) {
			// So that a proxy sends its next request on another connection, to another instance.
			context.header("connection", "close");
			throw shuttingDown();
		}
		context.set("depth", readDepth(context.req.header("stemma-depth")));
		await next();
	});
	app.notFound((context) => respondWithError(context, toRouteError(app, context)));
	app.onError((error, context) => respondWithError(context, error));
	return app;
}

const shuttingDown = (): DomainError =>
	new DomainError("shutting_down", "The service is stopping.", {
		hint: "Try again in a few seconds: the service may be restarting, or another one may take over.",
		retryAfterSeconds: 5,
	});

/** A preflight asks for the method of the request that it precedes. */
function crossOriginMethod(context: ServiceContext): string {
	const { method } = context.req;
	return (method === "OPTIONS" ? context.req.header("access-control-request-method") : undefined) ?? method;
}

function toRouteError(app: ServiceApp, context: ServiceContext): DomainError {
	const { method, path } = context.req;
	const allowed = allowedMethods(app, path);
	if (allowed.length === 0)
		return new DomainError("route_not_found", `There is nothing at ${method} ${path.slice(0, 200)}.`, {
			hint: "Check the path; the routes are listed in docs/http-api.md.",
		});
	context.header("allow", allowed.join(", "));
	return new DomainError("method_not_allowed", `${path} does not support ${method}.`, {
		hint: `It supports ${allowed.join(", ")}.`,
	});
}
