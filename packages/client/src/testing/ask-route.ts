import type { Answer, AskEvent, AskRequest } from "../types/ask";
import type { ThreadReference } from "../types/thread";
import { EventLog } from "./event-log";
import { type EventStreamResponse, errorResponse, jsonResponse, type RequestHandler } from "./fake-response";
import type { FakeRoutes } from "./fake-routes";
import type { FakeThreadAnswer, FakeThreads, FakeTurn } from "./fake-threads";
import { AskWriter } from "./scripts/ask-writer";
import { readReply, toScriptError } from "./scripts/read-reply";
import type { AskScript, ScriptedAskEvent } from "./scripts/script";
import type { ScriptQueue } from "./scripts/script-queue";

/** Stored answer as an answer names it. */
type StoredAnswer = Pick<Answer, "answer_id" | "answer_token">;

/** Options of the fake route that answers questions. */
export interface AskRouteOptions {
	readonly scripts: ScriptQueue<AskScript>;
	readonly handleUnscripted: RequestHandler;
	/** A client key does not see who paid. */
	readonly isClientKey: boolean;
	readonly threads: FakeThreads;
}

/** `POST /v1/ask`: an answer ends with its connection. */
export function addAskRoute(routes: FakeRoutes, options: AskRouteOptions): void {
	let stored = 0;
	const toStored = ({ store }: AskRequest): StoredAnswer => {
		if (store !== true) return {};
		stored += 1;
		return { answer_id: `ans_${stored}`, ...(options.isClientKey && { answer_token: `at_${stored}` }) };
	};
	routes.on("POST /v1/ask", async (request, params) => {
		const body = request.call.body as AskRequest;
		const turn = options.threads.append(request, body.question);
		if (turn !== undefined && "kind" in turn) return turn;
		const script = options.scripts.next();
		if (script === undefined) return options.handleUnscripted(request, params);
		const controller = new AbortController();
		const log = new EventLog<AskEvent>();
		turn?.answerWith(() => toAnswer(log, controller.signal, options));
		const reference = { ...turn?.reference, ...toStored(body) };
		void play(script, toQuestion(body, turn), log, controller.signal, options, reference);
		if (request.wantsStream) return toEventStreamResponse(log, controller);
		await log.at(Number.POSITIVE_INFINITY);
		return toJsonResponse(log.events.at(-1));
	});
}

async function play(
	script: AskScript,
	request: AskRequest,
	log: EventLog<AskEvent>,
	signal: AbortSignal,
	{ isClientKey }: AskRouteOptions,
	reference: ThreadReference & StoredAnswer,
): Promise<void> {
	const writer = new AskWriter({ request, isClientKey });
	const append = (events: readonly AskEvent[]): void =>
		log.append(
			events.map((event) =>
				event.type === "ask.completed" ? { ...event, answer: { ...event.answer, ...reference } } : event,
			),
		);
	const onEvent = (event: ScriptedAskEvent): void => append(writer.write(event));
	try {
		const reply = typeof script === "function" ? await script(request, signal) : script;
		await readReply<ScriptedAskEvent>(typeof reply === "string" ? { answer: reply } : reply, {
			signal,
			terminalFields: ["answer", "error"],
			types: ["ask.passages", "text.reset"],
			onEvent,
			isEnded: () => writer.isEnded,
		});
		append(writer.complete());
	} catch (error) {
		onEvent({ error: toScriptError("`ask`", error) });
	} finally {
		log.end();
	}
}

const toQuestion = (body: AskRequest, turn: FakeTurn | undefined): AskRequest =>
	turn === undefined ? body : { ...body, question: turn.question, history: turn.history };

/** The answer to a question, as its message shows it. */
function toAnswer(
	log: EventLog<AskEvent>,
	signal: AbortSignal,
	{ isClientKey }: AskRouteOptions,
): FakeThreadAnswer {
	if (signal.aborted) return { status: "cancelled" };
	const last = log.events.at(-1);
	if (last?.type === "ask.failed") return { status: "failed", error: last.error };
	if (last?.type !== "ask.completed") return { status: "in_progress" };
	const { answer: text, answer_id, answer_token, citations, refused, receipt } = last.answer;
	return {
		...{ status: "completed", text, citations },
		...(answer_id && { answer_id }),
		...(answer_token && { answer_token }),
		...(refused && { refused }),
		...(!isClientKey && { receipt }),
	};
}

function toEventStreamResponse(log: EventLog<AskEvent>, controller: AbortController): EventStreamResponse {
	let index = 0;
	return {
		kind: "events",
		next() {
			index += 1;
			return log.at(index - 1);
		},
		onClose() {
			const last = log.events.at(-1)?.type;
			if (last !== "ask.completed" && last !== "ask.failed") controller.abort();
		},
	};
}

function toJsonResponse(last: AskEvent | undefined) {
	if (last?.type === "ask.failed") return errorResponse({ status: 500, ...last.error });
	return jsonResponse(last?.type === "ask.completed" ? last.answer : {});
}
