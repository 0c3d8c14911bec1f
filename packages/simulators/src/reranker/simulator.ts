import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { startServer, watchOutcome } from "../start-server.ts";
import type { Behaviour, DefaultBehaviour } from "./behaviour.ts";
import { checkRequest, type RequestRules } from "./check-request.ts";
import { Rejection } from "./rejection.ts";
import { respond, sendRejection } from "./respond.ts";
import type { CheckedBody } from "./vendor.ts";
import { VENDORS, type VendorName } from "./vendors.ts";

/** Options of the stand-in for a vendor of rerankers. */
export interface RerankerSimulatorOptions {
	/** Whom it stands in for. */
	readonly vendor: VendorName;
	/** Default 0: any free one. */
	readonly port?: number;
	/** The key that requests must carry; without it any is taken, and none too. */
	readonly apiKey?: string;
	/** The models that there are. Default: any. */
	readonly models?: readonly string[];
	/** How many texts a request may carry. Default: the vendor's own limit. */
	readonly maxTexts?: number;
	/** How long a body may be. Default 2,000,000, as TEI's `--payload-limit`. */
	readonly maxBytes?: number;
	/** What is done where nothing is queued. Default: scores by shared words. */
	readonly behaviour?: DefaultBehaviour;
}

/** A request that came in. */
export interface SimulatedRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** Parsed and checked; left out where the request was refused. */
	readonly body?: CheckedBody;
	/** The status that it was refused with. */
	readonly rejection?: number;
	/** The answer was sent to its end. */
	readonly isAnswered: boolean;
	/** The client was gone before the answer was complete. */
	readonly isAborted: boolean;
}

export interface RerankerSimulator {
	/** `http://127.0.0.1:<port>`, with `/v1` or `/v2` where the vendor has it. */
	readonly baseUrl: string;
	/** All requests, in the order in which they came in. */
	readonly requests: readonly SimulatedRequest[];
	/** How many connections were opened. */
	readonly connections: number;
	/** What is done with the next requests that are taken, each once, in order. */
	enqueue(...behaviours: readonly Behaviour[]): void;
	/** Ends at once, with all connections. */
	close(): Promise<void>;
}

/** A stand-in for a vendor of rerankers: strict with what it gets, and able to fail in every way. */
export async function startRerankerSimulator(options: RerankerSimulatorOptions): Promise<RerankerSimulator> {
	const vendor = VENDORS[options.vendor];
	const { port = 0, behaviour = () => ({ kind: "scores" }) } = options;
	const rules: RequestRules = {
		vendor,
		apiKey: options.apiKey,
		models: options.models,
		maxTexts: options.maxTexts ?? vendor.maxTexts,
		maxBytes: options.maxBytes ?? 2_000_000,
	};
	const requests: Mutable<SimulatedRequest>[] = [];
	const queue: Behaviour[] = [];

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = "", url: path = "", headers } = request;
		const record: Mutable<SimulatedRequest> = { method, path, headers, isAnswered: false, isAborted: false };
		requests.push(record);
		watchOutcome(response, record);
		try {
			const body = checkRequest({ method, path, headers, text: await text(request) }, rules);
			record.body = body;
			await respond(response, queue.shift() ?? behaviour(body), vendor, body);
		} catch (error) {
			if (!(error instanceof Rejection)) throw error;
			record.rejection = error.status;
			sendRejection(response, error, vendor);
		}
	}

	const server = await startServer(port, serve);
	return {
		baseUrl: `${server.origin}${vendor.prefix}`,
		requests,
		get connections() {
			return server.connections;
		},
		enqueue: (...behaviours) => void queue.push(...behaviours),
		close: server.close,
	};
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
