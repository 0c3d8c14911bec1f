import type { TracerSource } from "./open-tracer";

/** Export of spans to a collector. */
export interface SpanExport {
	readonly tracerProvider: TracerSource;
	/** Sends the remaining spans, for a few seconds at most. Never rejects. */
	stop(): Promise<void>;
}

export interface SpanExportOptions {
	/** Service that the spans name as their origin, where the environment variables do not name one. */
	readonly service: { readonly name: string; readonly version: string };
	/** Variables of the process. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Gets a line where spans were wanted and cannot be sent. */
	readonly log: (line: string) => void;
}

/** A collector that does not answer holds nothing up for longer. */
const EXPORT_TIMEOUT_MS = 5_000;
/** Spans that wait for it; beyond, they are dropped. */
const MAX_QUEUED_SPANS = 2_048;

/** Packages that must be installed. */
const PACKAGES = [
	"@opentelemetry/api@1.9",
	"@opentelemetry/sdk-trace-base@2",
	"@opentelemetry/exporter-trace-otlp-http@0.220",
];

/**
 * Sends spans in batches by OTLP over HTTP, as the variables `OTEL_EXPORTER_OTLP_*`, `OTEL_SERVICE_NAME` and
 * `OTEL_RESOURCE_ATTRIBUTES` say; `undefined` where no endpoint is set, or `OTEL_SDK_DISABLED` is `true`. The SDK is loaded
 * here and nowhere else: it takes as long as all the rest.
 */
export async function startSpanExport({
	service,
	environment,
	log,
}: SpanExportOptions): Promise<SpanExport | undefined> {
	const variable = ENDPOINTS.find((name) => environment[name]);
	if (variable === undefined || environment.OTEL_SDK_DISABLED === "true") return undefined;
	const sdk = await loadSdk();
	if (sdk === undefined) {
		log(`warning: ${variable} is set, and no spans are sent: OpenTelemetry is not installed.`);
		log(`hint:  Run \`npm install ${PACKAGES.join(" ")}\`.`);
		return undefined;
	}
	const { BasicTracerProvider, BatchSpanProcessor, OTLPTraceExporter } = sdk;
	const attributes = readResource(service, environment);
	const resource = {
		attributes,
		getRawAttributes: () => Object.entries(attributes),
		merge: () => resource,
	};
	const processor = new BatchSpanProcessor(new OTLPTraceExporter({ timeoutMillis: EXPORT_TIMEOUT_MS }), {
		exportTimeoutMillis: EXPORT_TIMEOUT_MS,
		maxQueueSize: MAX_QUEUED_SPANS,
	});
	const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
	return {
		tracerProvider: provider,
		async stop() {
			await Promise.race([provider.shutdown().catch(() => undefined), sleep(EXPORT_TIMEOUT_MS)]);
		},
	};
}

const ENDPOINTS = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"] as const;

/** Optional peers. */
async function loadSdk() {
	try {
		const [sdk, exporter] = await Promise.all([
			import("@opentelemetry/sdk-trace-base"),
			import("@opentelemetry/exporter-trace-otlp-http"),
			import("@opentelemetry/api"),
		]);
		return { ...sdk, ...exporter };
	} catch (error) {
		if (error instanceof Error && "code" in error && NOT_FOUND.includes(String(error.code))) return undefined;
		throw error;
	}
}

const NOT_FOUND = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"];

/** Keeps no process alive. */
const sleep = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => {
		setTimeout(resolve, milliseconds).unref();
	});

/** `OTEL_RESOURCE_ATTRIBUTES` is `a=b,c=d`, with values as in URLs. */
function readResource(
	{ name, version }: SpanExportOptions["service"],
	environment: SpanExportOptions["environment"],
) {
	const configured = (environment.OTEL_RESOURCE_ATTRIBUTES ?? "").split(",").flatMap((pair) => {
		const [key = "", value] = pair.split("=", 2).map((text) => text.trim());
		return key === "" || value === undefined ? [] : [[key, decode(value)] as const];
	});
	const serviceName = environment.OTEL_SERVICE_NAME;
	return {
		"service.name": name,
		"service.version": version,
		...Object.fromEntries(configured),
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
