/**
 * Place of a call in a distributed trace, as the headers that carry it (W3C Trace Context). MCP carries the same names in
 * `_meta`.
 */
export interface TraceContext {
	/** `00-<trace id>-<span id>-<flags>`, section 3.2. */
	readonly traceparent: string;
	/** Fields of tracing systems, section 3.3. */
	readonly tracestate?: string;
}
