import type { AskEvent, AskRequest } from "../types/ask";
import { EventLog } from "./event-log";
import { type EventStreamResponse, errorResponse, jsonResponse, type RequestHandler } from "./fake-response";
import type { FakeRoutes } from "./fake-routes";
import { AskWriter } from "./scripts/ask-writer";
import { readReply, toScriptError } from "./scripts/read-reply";
import type { AskScript, ScriptedAskEvent } from "./scripts/script";
import type { ScriptQueue } from "./scripts/script-queue";

/** Options of the fake route that answers questions. */
export interface AskRouteOptions {
	readonly scripts: ScriptQueue<AskScript>;
	readonly handleUnscripted: RequestHandler;
	/** A client key does not see who paid. */
	readonly isClientKey: boolean;
}

/** `POST /v1/ask`: an answer ends with its connection. */
export function addAskRoute(routes: FakeRoutes, options: AskRouteOptions): void {
	routes.on("POST /v1/ask", async (request, params) => {
		const script = options.scripts.next();
		if (script === undefined) return options.handleUnscripted(request, params);
		const controller = new AbortController();
		const log = new EventLog<AskEvent>();
		void play(script, request.call.body as AskRequest, log, controller.signal, options);
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
): Promise<void> {
	const writer = new AskWriter({ request, isClientKey });
	const onEvent = (event: ScriptedAskEvent): void => log.append(writer.write(event));
	try {
		const reply = typeof script === "function" ? await script(request, signal) : script;
		await readReply<ScriptedAskEvent>(typeof reply === "string" ? { answer: reply } : reply, {
			signal,
			terminalFields: ["answer", "error"],
			types: ["ask.passages", "text.reset"],
			onEvent,
			isEnded: () => writer.isEnded,
		});
		log.append(writer.complete());
	} catch (error) {
		onEvent({ error: toScriptError("`ask`", error) });
	} finally {
		log.end();
	}
}

function toEventStreamResponse(log: EventLog<AskEvent>, controller: AbortController): EventStreamResponse {
	let index = 0;
	return {
		kind: "events",
		next() {
			index += 1;
			return log.at(index - 1);
		},
		onClose: () => controller.abort(),
	};
}

function toJsonResponse(last: AskEvent | undefined) {
	if (last?.type === "ask.failed") return errorResponse({ status: 500, ...last.error });
	return jsonResponse(last?.type === "ask.completed" ? last.answer : {});
}
