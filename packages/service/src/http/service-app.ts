import { type Context, Hono } from "hono";
import type { Logger } from "pino";
import type { Authenticator } from "../auth/authenticator";
import type { Fingerprint } from "../auth/fingerprint";
import type { TokenBudgets } from "../auth/token-budgets";
import type { LimitsConfiguration } from "../configuration/configuration";
import type { Keyring } from "../encryption/keyring";
import { DomainError } from "../errors/domain-error";
import type { ByteAccount, ByteBudget } from "../fairness/byte-budget";
import type { FairQueue } from "../fairness/fair-queue";
import type { MainThreadQueue } from "../fairness/main-thread-queue";
import type { ModelCallQueue } from "../models/model-call-queue";
import type { Models } from "../models/models";
import type { OutboundGate } from "../outbound/outbound-gate";
import type { SchemaChecker } from "../schema-check/schema-checker";
import type { DiskSpace } from "../storage/disk-space";
import type { Spool } from "../store/data-folder/spool";
import type { ServiceTelemetry } from "../telemetry/service-telemetry";
import type { Workspace } from "../workspaces/workspace";
import type { Workspaces } from "../workspaces/workspaces";
import type { Caller } from "./auth/authenticate";
import { respondToPreflight, setCorsHeaders } from "./auth/cors";
import { releaseBody } from "./body/body-account";
import { type LogFailure, respondWithError } from "./error-response";
import type { InFlightCounter } from "./in-flight/in-flight-counter";
import { isProbe, logRequest } from "./log-request";
import { allowedMethods, findHandlers, findRoute, isCrossOrigin, toMethod } from "./matching-routes";
import { readDepth, readRequestId } from "./request-headers";
import { type RequestSpan, startRequestSpan } from "./request-span";
import { STEMMA_VERSION } from "./stemma-version";

/** Dependencies that all routes share. */
export interface ServiceKernel {
	readonly logger: Logger;
	readonly logFailure: LogFailure;
	readonly authenticator: Authenticator;
	readonly workspaces: Workspaces;
	/** Models that answer, with who pays for them. */
	readonly models: Models;
	/** Checks the JSON Schemas that callers sent. */
	readonly schemas: SchemaChecker;
	/** Checks whether an address that a caller chose may be called. */
	readonly checkAddress: OutboundGate["check"];
	/** Seals what a workspace keeps secret. */
	readonly keyring: Keyring;
	readonly limits: LimitsConfiguration;
	/** Request bodies in memory. */
	readonly bodies: ByteBudget;
	/** Turns of uploads that go to the disk. */
	readonly uploads: FairQueue;
	/** Content of uploads on its way to the store. */
	readonly spool: Spool;
	/** Space that is left on the disk. */
	readonly disk: Pick<DiskSpace, "assertSpace">;
	/** The origin that clients know the service by; none: what each request names. */
	readonly publicOrigin: string | undefined;
	/** Traces and metrics. */
	readonly telemetry: ServiceTelemetry;
	/** The daily token budgets of client keys. */
	readonly budgets: TokenBudgets;
	/** Recognises a request body without keeping it. */
	readonly fingerprint: Fingerprint;
	/** Calls of models, limited by workspace. */
	readonly modelCallQueue: ModelCallQueue;
	/** Turns of workspaces on the main thread. */
	readonly turns: MainThreadQueue;
	/** Counter of requests in flight; a shutdown waits for them. */
	readonly inFlight: InFlightCounter;
	/** Aborts when streams must end because the service does. */
	readonly shutdownSignal: AbortSignal;
	/** Checks whether the service is shutting down, so that no new requests are accepted. */
	isShuttingDown(): boolean;
}

/** Known facts about a request's connection. */
export interface ConnectionInfo {
	/** IP address of the other end; left out where there is no connection. */
	readonly address?: string | undefined;
}

/** `caller` and `workspace` are there behind `requireCaller`. */
export interface ServiceEnvironment {
	Bindings: ConnectionInfo;
	Variables: {
		requestId: string;
		caller: Caller;
		workspace: Workspace;
		/** Number of services and runtimes that the request came through. */
		depth: number;
		kernel: ServiceKernel;
		/** Counts what the request's body takes of the memory; none before it is read. */
		bodyAccount: ByteAccount | undefined;
		/** Span of the request, where it is traced. */
		span: RequestSpan | undefined;
	};
}

/** App that routes are added to. */
export type ServiceApp = Hono<ServiceEnvironment>;

/** Context that a handler receives. */
export type ServiceContext = Context<ServiceEnvironment>;

/** An app without routes, and with all that holds for each of them. */
export function createServiceApp(kernel: ServiceKernel): ServiceApp {
	const app: ServiceApp = new Hono<ServiceEnvironment>();
	app.use(async (context, next) => {
		const startedAt = performance.now();
		const leave = kernel.inFlight.enter();
		// Made when it is first asked for: later, a client that has left meanwhile would be missed.
		void context.req.raw.signal;
		context.set("kernel", kernel);
		context.set("requestId", readRequestId(context.req.header("x-request-id")));
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
		if (kernel.isShuttingDown() && !isProbe(context.req.path)) throw shuttingDown();
		context.set("depth", readDepth(context.req.header("stemma-depth")));
		await next();
	});
	app.notFound((context) => respondWithError(context, toRouteError(app, context)));
	app.onError((error, context) => respondWithError(context, error));
	return app;
}

const shuttingDown = (): DomainError =>
	new DomainError("shutting_down", "The service is stopping.", {
		hint: "Try again in a moment: it may be starting anew, or another takes over.",
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
	return new DomainError("method_not_allowed", `${path} does not answer to ${method}.`, {
		hint: `It answers to ${allowed.join(", ")}.`,
	});
}
