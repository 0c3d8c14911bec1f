import type { TraceContext } from "@stemma/core";
import { claimUsage, readTraceHeaders, readUsageClaim } from "@stemma/telemetry";
import type { HonoRequest } from "hono";
import type { ServiceTelemetry } from "../telemetry/service-telemetry";

const MAX_PATH_CHARACTERS = 200;

/** The span of one request. It ends once the response is sent, a stream with its last event. */
export interface RequestSpan {
	readonly traceContext: TraceContext;
	/** Trusts a caller that is a server: if it says that it records the usage itself, spans leave the usage out. */
	trustUsageClaim(): void;
	/** Keeps the span open for a streamed response. Returns a function to call when the stream has ended. */
	keepOpen(): () => void;
	/** Records that the response has started. @param route - pattern of the route. */
	respond(route: string, status: number): void;
}

/** Starts a span as OpenTelemetry's conventions for HTTP servers have it. */
export function startRequestSpan(
	{ req }: { readonly req: HonoRequest },
	{ startSpan, redact }: Pick<ServiceTelemetry, "startSpan" | "redact">,
): RequestSpan | undefined {
	const { method } = req;
	const readHeader = (name: string): string | undefined => req.header(name);
	const parent = readTraceHeaders(readHeader);
	const path = redact(req.path).slice(0, MAX_PATH_CHARACTERS);
	const span = startSpan({
		name: method,
		kind: "server",
		parent,
		attributes: { "http.request.method": method, "url.path": path, ...toServer(req.url) },
	});
	if (span === undefined) return undefined;
	let { traceContext } = span;
	let open = 1;
	function release(): void {
		open -= 1;
		if (open === 0) span?.end();
	}
	return {
		get traceContext() {
			return traceContext;
		},
		trustUsageClaim() {
			if (readUsageClaim(readHeader)) traceContext = claimUsage(traceContext);
		},
		keepOpen() {
			open += 1;
			return release;
		},
		respond(route, status) {
			if (route !== OTHER_ROUTE) span.rename(`${method} ${route}`);
			span.set({
				"http.route": route === OTHER_ROUTE ? undefined : route,
				"http.response.status_code": status,
			});
			// What a client does wrong is no error of the server.
			if (status >= 500) span.fail(String(status));
			release();
		},
	};
}

/** Route name of requests that match no route. */
export const OTHER_ROUTE = "other";

function toServer(url: string) {
	const { protocol, hostname, port } = new URL(url);
	const defaultPort = protocol === "https:" ? 443 : 80;
	return {
		"url.scheme": protocol.slice(0, -1),
		"server.address": hostname,
		"server.port": port === "" ? defaultPort : Number(port),
	};
}
