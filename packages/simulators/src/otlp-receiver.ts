import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as a collector has received it. */
export interface ReceivedSpan {
	readonly name: string;
	readonly kind: "internal" | "server" | "client";
	readonly traceId: string;
	readonly spanId: string;
	/** Empty for the first of a trace. */
	readonly parentSpanId: string;
	/** Epoch milliseconds. */
	readonly start: number;
	readonly end: number;
	readonly attributes: Readonly<Record<string, unknown>>;
	readonly isError: boolean;
	/** Ids of linked spans. */
	readonly links: readonly string[];
	/** `service.name` of its process. */
	readonly service: unknown;
	readonly scope: string;
	readonly schemaUrl: string;
}

/** A collector: it takes OTLP over HTTP, as JSON, and keeps the spans. */
export interface OtlpReceiver {
	/** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
	readonly url: string;
	readonly spans: readonly ReceivedSpan[];
	/** All bodies, as they came. */
	readonly text: () => string;
	close(): void;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
	const spans: ReceivedSpan[] = [];
	const bodies: string[] = [];
	const server = createServer(async (request, response) => {
		let json = "";
		for await (const chunk of request) json += chunk;
		if (request.url !== "/v1/traces") return void response.writeHead(404).end();
		bodies.push(json);
		spans.push(...decode(JSON.parse(json)));
		response.writeHead(200, { "content-type": "application/json" }).end("{}");
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		spans,
		text: () => bodies.join("\n"),
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

interface WireAttribute {
	readonly key: string;
	readonly value: WireValue;
}

interface WireValue {
	readonly stringValue?: string;
	readonly intValue?: number | string;
	readonly doubleValue?: number;
	readonly boolValue?: boolean;
	readonly arrayValue?: { readonly values?: readonly WireValue[] };
}

interface WireSpan {
	readonly name: string;
	readonly kind: number;
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	readonly startTimeUnixNano: string;
	readonly endTimeUnixNano: string;
	readonly attributes: readonly WireAttribute[];
	readonly status?: { readonly code?: number };
	readonly links?: readonly { readonly spanId: string }[];
}

interface WireExport {
	readonly resourceSpans: readonly {
		readonly resource: { readonly attributes: readonly WireAttribute[] };
		readonly scopeSpans: readonly {
			readonly scope: { readonly name: string };
			readonly schemaUrl?: string;
			readonly spans: readonly WireSpan[];
		}[];
	}[];
}

const KINDS: Readonly<Record<number, ReceivedSpan["kind"]>> = { 1: "internal", 2: "server", 3: "client" };

const decode = ({ resourceSpans }: WireExport): ReceivedSpan[] =>
	resourceSpans.flatMap(({ resource, scopeSpans }) =>
		scopeSpans.flatMap(({ scope, schemaUrl = "", spans }) =>
			spans.map((span) => ({
				name: span.name,
				kind: KINDS[span.kind] ?? "internal",
				traceId: span.traceId,
				spanId: span.spanId,
				parentSpanId: span.parentSpanId ?? "",
				start: toMs(span.startTimeUnixNano),
				end: toMs(span.endTimeUnixNano),
				attributes: toRecord(span.attributes),
				isError: span.status?.code === 2,
				links: (span.links ?? []).map(({ spanId }) => spanId),
				service: toRecord(resource.attributes)["service.name"],
				scope: scope.name,
				schemaUrl,
			})),
		),
	);

const toMs = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1000n) / 1000;

const toRecord = (attributes: readonly WireAttribute[]): Readonly<Record<string, unknown>> =>
	Object.fromEntries(attributes.map(({ key, value }) => [key, toValue(value)]));

function toValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: WireValue): unknown {
	if (arrayValue !== undefined) return (arrayValue.values ?? []).map(toValue);
	return stringValue ?? boolValue ?? doubleValue ?? Number(intValue);
}
