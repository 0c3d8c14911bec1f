import type { TracerProvider } from "@opentelemetry/api";
import { createTracer, type TracerScope } from "./create-tracer";
import type { StartSpan } from "./span";

/** A `TracerProvider` of `@opentelemetry/api`, which need not be installed for these types. */
export interface TracerSource {
	getTracer(name: string, version?: string, options?: { schemaUrl?: string }): object;
}

/** Key of the global registry of `@opentelemetry/api`, the same in all its versions 1. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

const findRegistered = (): TracerSource | undefined =>
	(globalThis as { readonly [REGISTRY]?: { readonly trace?: TracerSource } })[REGISTRY]?.trace;

/**
 * Opens what starts spans. OpenTelemetry's API is not loaded for it: most processes send none, and bundlers would look for a
 * package that need not be there.
 *
 * @param source - default: what is registered globally, as soon as anything is.
 */
export function openTracer(source: TracerSource | undefined, scope: TracerScope): StartSpan {
	let start: StartSpan | undefined;
	return (options) => {
		const provider = source ?? findRegistered();
		// What it gives are tracers: the type above says less, so that it needs no package.
		if (provider !== undefined) start ??= createTracer(provider as TracerProvider, scope);
		return start?.(options);
	};
}
