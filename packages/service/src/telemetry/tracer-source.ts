/** A `TracerProvider` of `@opentelemetry/api`, which need not be installed for these types. */
export interface TracerSource {
	getTracer(name: string, version?: string, options?: { schemaUrl?: string }): object;
}
