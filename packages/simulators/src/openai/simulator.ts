import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { answerInternalRequest, type InternalRequest } from "../internal-requests.ts";
import { startServer, watchOutcome } from "../start-server.ts";
import type { Behaviour, DefaultBehaviour } from "./behaviour.ts";
import type { EmbeddingLimits } from "./check-embeddings.ts";
import { type AcceptedRequest, checkRequest } from "./check-request.ts";
import { citeFirstPassage } from "./cite-first-passage.ts";
import type { Fields } from "./field-checks.ts";
import { Rejection } from "./rejection.ts";
import { respond, sendError } from "./respond.ts";

/** Options of the stand-in for a vendor of OpenAI's format. */
export interface OpenAiSimulatorOptions {
	/** Default 0: any free one. */
	readonly port?: number;
	/** The key that requests must carry; without it any is taken, and none too. */
	readonly apiKey?: string;
	/** The models that there are; others get a 404. Default: any. */
	readonly models?: readonly string[];
	/** What the embedding models take. */
	readonly embeddings?: EmbeddingLimits;
	/** Answers small tasks on the side of a question without a look at the queue. Default {@link answerInternalRequest}. */
	readonly answerInternal?: (internalRequest: InternalRequest) => string | undefined;
	/** What is done with a request for a completion where nothing is queued. Default {@link citeFirstPassage}. */
	readonly behaviour?: DefaultBehaviour;
}

/** A request that came in. */
export interface SimulatedRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** Parsed and checked; left out where the request was refused. */
	readonly body?: Fields;
	/** Why it was refused, as the client was told. */
	readonly rejection?: string;
	/** The answer was sent to its end. */
	readonly isAnswered: boolean;
	/** The client was gone before the answer was complete. */
	readonly isAborted: boolean;
}

export interface OpenAiSimulator {
	/** `http://127.0.0.1:<port>/v1` */
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

/** A stand-in for a vendor of OpenAI's chat completions and embeddings: strict with what it gets, and able to fail in every way. */
export async function startOpenAiSimulator(options: OpenAiSimulatorOptions = {}): Promise<OpenAiSimulator> {
	const { port = 0, apiKey, models, embeddings = {} } = options;
	const { answerInternal = answerInternalRequest, behaviour = citeFirstPassage } = options;
	const requests: Mutable<SimulatedRequest>[] = [];
	const queue: Behaviour[] = [];

	function nextBehaviour({ operation, body }: AcceptedRequest): Behaviour {
		const text = operation === "embeddings" ? undefined : answerInternal(toInternalRequest(body));
		if (text !== undefined) return { kind: "reply", text };
		const other = operation === "embeddings" ? "reply" : "embeddings";
		const slot = queue.findIndex(({ kind }) => kind !== other);
		const [queued] = slot === -1 ? [] : queue.splice(slot, 1);
		return queued ?? (operation === "embeddings" ? { kind: "embeddings" } : behaviour(body));
	}

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = "", url: path = "", headers } = request;
		const record: Mutable<SimulatedRequest> = { method, path, headers, isAnswered: false, isAborted: false };
		requests.push(record);
		watchOutcome(response, record);
		const number = requests.length;
		response.setHeader("x-request-id", `req_${number}`);
		try {
			const raw = { method, path, headers, text: await text(request) };
			const accepted = checkRequest(raw, { apiKey, embeddings });
			const { body } = accepted;
			checkModel(body.model, models);
			record.body = body;
			const metadata = {
				id: `chatcmpl-${String(number).padStart(12, "0")}`,
				created: 1_700_000_000,
				model: body.model,
			};
			await respond(response, nextBehaviour(accepted), metadata, body, embeddings);
		} catch (error) {
			if (!(error instanceof Rejection)) throw error;
			record.rejection = error.message;
			sendError(response, error.status, error.error);
		}
	}

	const server = await startServer(port, serve);
	return {
		baseUrl: `${server.origin}/v1`,
		requests,
		get connections() {
			return server.connections;
		},
		enqueue: (...behaviours) => void queue.push(...behaviours),
		close: server.close,
	};
}

function toInternalRequest({ messages }: Fields): InternalRequest {
	const all = messages as readonly Fields[];
	const textOf = (message: Fields | undefined): string =>
		typeof message?.content === "string" ? message.content : "";
	return { system: textOf(all.find(({ role }) => role === "system")), user: textOf(all.at(-1)) };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

function checkModel(model: unknown, models: readonly string[] | undefined): void {
	if (models === undefined || models.includes(String(model))) return;
	throw new Rejection(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
		code: "model_not_found",
	});
}
