import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { answerInternalRequest, type InternalRequest } from "../internal-requests.ts";
import { startServer, watchOutcome } from "../start-server.ts";
import type { Behaviour, DefaultBehaviour, SimulatedOperation } from "./behaviour.ts";
import type { UsedCredential } from "./checks/check-authorization.ts";
import type { SimulatedModels } from "./checks/check-model.ts";
import { checkRequest } from "./checks/check-request.ts";
import type { SimulatedCredential } from "./checks/check-signature.ts";
import { citeFirstPassage } from "./cite-first-passage.ts";
import type { ConverseRequest } from "./converse-request.ts";
import { Rejection } from "./rejection.ts";
import { respond, sendRejection } from "./respond.ts";

/** Options of the stand-in for Amazon Bedrock. */
export interface BedrockSimulatorOptions {
	/** Default 0: any free one. */
	readonly port?: number;
	/** The region that signatures must be scoped to. Default `us-east-1`. */
	readonly region?: string;
	/** Those whose signatures are taken. Default none. */
	readonly credentials?: readonly SimulatedCredential[];
	/** The API keys that are taken. Default none. */
	readonly bearerKeys?: readonly string[];
	/** The models that there are. Default: any, all enabled. */
	readonly models?: SimulatedModels;
	/** The vendor's clock, which signatures are held against and which it sends in `date`. Default: this machine's. */
	readonly now?: () => Date;
	/** Answers small tasks on the side of a question without a look at the queue. Default {@link answerInternalRequest}. */
	readonly answerInternal?: (internalRequest: InternalRequest) => string | undefined;
	/** What is done where nothing is queued. Default {@link citeFirstPassage}. */
	readonly behaviour?: DefaultBehaviour;
}

/** A request that came in. */
export interface SimulatedRequest {
	readonly method: string;
	/** As it was sent: nothing is decoded. */
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** The body as it was sent. */
	readonly text: string;
	/** What the path names; left out where it leads nowhere. */
	readonly operation?: SimulatedOperation;
	/** What it was let in with; left out where it was not. */
	readonly credential?: UsedCredential;
	/** Parsed and checked; left out where the request was refused. */
	readonly body?: ConverseRequest;
	/** Why it was refused, as the client was told. */
	readonly rejection?: SimulatedRejection;
	/** The answer was sent to its end. */
	readonly isAnswered: boolean;
	/** The client was gone before the answer was complete. */
	readonly isAborted: boolean;
}

export interface SimulatedRejection {
	readonly status: number;
	readonly type: string;
	readonly message: string;
}

export interface BedrockSimulator {
	/** `http://127.0.0.1:<port>` */
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

/** A stand-in for Amazon Bedrock's runtime: checks signatures and bodies as strictly, and is able to fail in every way. */
export async function startBedrockSimulator(
	options: BedrockSimulatorOptions = {},
): Promise<BedrockSimulator> {
	const { port = 0, region = "us-east-1", credentials = [], bearerKeys = [], models } = options;
	const {
		now = () => new Date(),
		answerInternal = answerInternalRequest,
		behaviour = citeFirstPassage,
	} = options;
	const account = { region, credentials, bearerKeys, now };
	const requests: Mutable<SimulatedRequest>[] = [];
	const queue: Behaviour[] = [];

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = "", url: path = "", headers } = request;
		const record: Mutable<SimulatedRequest> = {
			method,
			path,
			headers,
			text: "",
			isAnswered: false,
			isAborted: false,
		};
		requests.push(record);
		watchOutcome(response, record);
		response.setHeader("date", now().toUTCString());
		response.setHeader("x-amzn-RequestId", randomUUID());
		try {
			const body = await buffer(request);
			record.text = body.toString();
			const checked = await checkRequest({ method, path, headers, body }, account, models, record);
			const { operation } = checked;
			const text = answerInternal(toInternalRequest(checked.body));
			const next: Behaviour | undefined = text === undefined ? queue.shift() : { kind: "reply", text };
			await respond(response, next ?? behaviour(checked.body, operation), operation, checked.body);
		} catch (error) {
			if (!(error instanceof Rejection)) throw error;
			record.rejection = { status: error.status, type: error.type, message: error.message };
			sendRejection(response, error);
		}
	}

	const server = await startServer(port, serve);
	return {
		baseUrl: server.origin,
		requests,
		get connections() {
			return server.connections;
		},
		enqueue: (...behaviours) => void queue.push(...behaviours),
		close: server.close,
	};
}

function toInternalRequest({ system = [], messages }: ConverseRequest): InternalRequest {
	const join = (blocks: readonly object[]): string =>
		blocks.map((block) => ("text" in block ? String(block.text) : "")).join("\n");
	return { system: join(system), user: join(messages.at(-1)?.content ?? []) };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
