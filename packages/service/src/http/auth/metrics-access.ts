import { createHash, timingSafeEqual } from "node:crypto";
import { isLoopbackHost } from "@stemma/protocol";
import type { MiddlewareHandler } from "hono";
import type { Secret } from "../../encryption/secret";
import { DomainError } from "../../errors/domain-error";
import type { ServiceContext, ServiceEnvironment } from "../service-context";

/** Access rule of the metrics. */
export interface MetricsAccess {
	/**
	 * Token of the operator's configuration. Without one, only this machine has access, where no public address is set.
	 */
	readonly token: Secret | undefined;
	/** The service listens on a loopback address. */
	readonly isLocal: boolean;
}

/** Set by proxies, besides `x-forwarded-…`: a request that has one may come from anywhere. */
const FORWARDED = new Set(["forwarded", "via", "x-real-ip", "true-client-ip", "cf-connecting-ip"]);

/**
 * Lets the operator's token in; where there is none, requests of this machine that came through no proxy. A proxy that sends
 * neither the name that clients use nor a header of its own cannot be told from this machine: behind one, a token is needed.
 *
 * @throws DomainError `metrics_token_required`, `invalid_token`.
 */
export function requireMetricsAccess({
	token,
	isLocal,
}: MetricsAccess): MiddlewareHandler<ServiceEnvironment> {
	return async (context, next) => {
		if (token === undefined ? !(isLocal && isDirect(context)) : !isBearer(context, token.reveal()))
			throw token === undefined ? tokenRequired() : tokenInvalid();
		await next();
	};
}

function isDirect(context: ServiceContext): boolean {
	const { req } = context;
	if (context.get("kernel").publicOrigin !== undefined) return false;
	const { hostname } = new URL(req.url);
	const isOwnName = isLoopbackHost(hostname);
	return isOwnName && !Object.keys(req.header()).some(isForwarded);
}

const isForwarded = (name: string): boolean => name.startsWith("x-forwarded-") || FORWARDED.has(name);

function isBearer({ req }: ServiceContext, token: string): boolean {
	const [, given] = /^Bearer +(\S+)$/i.exec(req.header("authorization") ?? "") ?? [];
	return given !== undefined && timingSafeEqual(hash(given), hash(token));
}

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();

const tokenRequired = (): DomainError =>
	new DomainError("metrics_token_required", "The metrics are for the operators of this service.", {
		hint: "Set STEMMA_METRICS_TOKEN (`metrics.token`) and send it as a bearer token. Without a token, only requests from the service's own machine to a loopback address are answered; if `listen.public_url` is set, none are.",
	});

const tokenInvalid = (): DomainError =>
	new DomainError("invalid_token", "The token for the metrics is missing or wrong.", {
		hint: "Send the value of STEMMA_METRICS_TOKEN (`metrics.token`) as a bearer token.",
	});
