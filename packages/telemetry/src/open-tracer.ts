import type { TracerProvider } from "@opentelemetry/api";
import { ConfigurationError } from "@stemma/core/errors";
import type { TracerScope } from "./create-tracer";
import type { StartSpan } from "./span";
import type { OpenTelemetry } from "./trace-context";

/** A `TracerProvider` of `@opentelemetry/api`, which need not be installed for these types. */
export interface TracerSource {
	getTracer(name: string, version?: string, options?: { schemaUrl?: string }): object;
}

/** Where `@opentelemetry/api` keeps what is registered; the same in all its versions 1. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

const isRegistered = (): boolean =>
	(globalThis as { readonly [REGISTRY]?: { readonly trace?: unknown } })[REGISTRY]?.trace !== undefined;

/**
 * Opens what starts spans. OpenTelemetry is loaded where spans go anywhere: most processes send none. A provider that is
 * registered later counts from shortly after its first span.
 *
 * @param source - default: what is registered globally, if anything is.
 * @throws ConfigurationError `telemetry_not_installed` for a provider without `@opentelemetry/api`.
 */
export async function openTracer(source: TracerSource | undefined, scope: TracerScope): Promise<StartSpan> {
	let start: StartSpan | undefined;
	const load = async (): Promise<void> => {
		const api = await loadApi();
		if (api === undefined) return;
		const { createTracer } = await import("./create-tracer");
		start ??= createTracer(api, (source as TracerProvider | undefined) ?? api.trace, scope);
	};
	if (source !== undefined || isRegistered()) await load();
	if (source !== undefined && start === undefined) throw apiMissing();
	return (options) => {
		if (start === undefined && isRegistered()) void load();
		return start?.(options);
	};
}

/** An optional peer: bundlers and Node go on without it. */
const loadApi = (): Promise<OpenTelemetry | undefined> => import("@opentelemetry/api").catch(() => undefined);

const apiMissing = (): ConfigurationError =>
	new ConfigurationError("A tracer provider was given, and `@opentelemetry/api` is not installed.", {
		code: "telemetry_not_installed",
		hint: "Run `npm install @opentelemetry/api`, or leave out `tracerProvider`.",
	});
