import type { TracerProvider } from "@opentelemetry/api";
import { sleep } from "../platform/background-timer";
import { readEnvironment } from "../platform/environment";

/** Spans on their way to a collector. */
export interface SpanExport {
	readonly tracerProvider: TracerProvider;
	/** Sends what is left, for some seconds at most. Never fails. */
	stop(): Promise<void>;
}

/** A collector that does not answer holds nothing up for longer. */
const EXPORT_MS = 5_000;
/** Of spans that wait for it; beyond, they are dropped. */
const MAX_WAITING = 2_048;

/**
 * Sends spans in batches by OTLP over HTTP, as the variables `OTEL_EXPORTER_OTLP_*`, `OTEL_SERVICE_NAME` and
 * `OTEL_RESOURCE_ATTRIBUTES` say. The SDK is loaded here and nowhere else.
 *
 * @param service - what the spans say that they come from, where the variables do not.
 */
export async function startSpanExport(service: {
	readonly name: string;
	readonly version: string;
}): Promise<SpanExport> {
	const [{ BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }] = await Promise.all([
		import("@opentelemetry/sdk-trace-base"),
		import("@opentelemetry/exporter-trace-otlp-http"),
	]);
	const attributes = readResource(service);
	const resource = {
		attributes,
		getRawAttributes: () => Object.entries(attributes),
		merge: () => resource,
	};
	const processor = new BatchSpanProcessor(new OTLPTraceExporter({ timeoutMillis: EXPORT_MS }), {
		exportTimeoutMillis: EXPORT_MS,
		maxQueueSize: MAX_WAITING,
	});
	const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
	return {
		tracerProvider: provider,
		async stop() {
			await Promise.race([provider.shutdown().catch(() => undefined), sleep(EXPORT_MS)]);
		},
	};
}

/** `OTEL_RESOURCE_ATTRIBUTES` is `a=b,c=d`, with values as in URLs. */
function readResource({ name, version }: { readonly name: string; readonly version: string }) {
	const given = (readEnvironment("OTEL_RESOURCE_ATTRIBUTES") ?? "").split(",").flatMap((pair) => {
		const [key = "", value] = pair.split("=", 2).map((text) => text.trim());
		return key === "" || value === undefined ? [] : [[key, decode(value)] as const];
	});
	const serviceName = readEnvironment("OTEL_SERVICE_NAME");
	return {
		"service.name": name,
		"service.version": version,
		...Object.fromEntries(given),
		...(serviceName ? { "service.name": serviceName } : {}),
	};
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
