/** A `TracerProvider` of `@opentelemetry/api`, which need not be installed for these types. */
export interface TracerSource {
	getTracer(name: string, version?: string, options?: { schemaUrl?: string }): object;
}

export interface TraceOptions {
	/**
	 * Gets a span for each run, node, tool, retrieval and model call: a `TracerProvider` of `@opentelemetry/api`. Default:
	 * what is registered globally, if anything is.
	 */
	readonly tracerProvider?: TracerSource | undefined;
	/** Inputs, outputs and arguments go into the spans: they may hold anything that people wrote. Default false. */
	readonly traceContent?: boolean | undefined;
}
