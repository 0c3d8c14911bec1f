import type { Answer, AskEvent, AskRequest } from "../types/ask";
import { createAskWriter } from "./ask-writer";
import { createEventLog, type EventLog } from "./event-log";
import { type Answerer, answerFailure, answerJson, type EventsAnswer } from "./fake-answer";
import type { FakeRoutes } from "./fake-routes";
import { readReply, toScriptError } from "./read-reply";
import type { AskScript, ScriptedAskEvent } from "./script";

export interface AskRouteOptions {
	/** The script for the next question. */
	readonly takeScript: () => AskScript | undefined;
	readonly answerUnscripted: Answerer;
	/** A client key does not see who paid. */
	readonly isClientKey: boolean;
}

/** `POST /v1/ask`: an answer ends with its connection. */
export function addAskRoute(routes: FakeRoutes, options: AskRouteOptions): void {
	routes.on("POST /v1/ask", async (request, names) => {
		const script = options.takeScript();
		if (script === undefined) return options.answerUnscripted(request, names);
		const controller = new AbortController();
		const log = createEventLog<AskEvent>();
		void play(script, request.call.body as AskRequest, log, controller.signal, options);
		if (request.wantsStream) return toEventsAnswer(log, controller);
		await log.at(Number.POSITIVE_INFINITY);
		return toJsonAnswer(log.events.at(-1));
	});
}

async function play(
	script: AskScript,
	request: AskRequest,
	log: EventLog<AskEvent>,
	signal: AbortSignal,
	{ isClientKey }: AskRouteOptions,
): Promise<void> {
	const writer = createAskWriter({ request, isClientKey });
	const take = (event: ScriptedAskEvent): void => log.append(writer.write(event));
	try {
		const reply = typeof script === "function" ? await script(request, signal) : script;
		await readReply<ScriptedAskEvent>(typeof reply === "string" ? { answer: reply } : reply, {
			signal,
			ends: ["answer", "error"],
			types: ["ask.passages", "text.reset"],
			take,
			isEnded: () => writer.isEnded,
		});
		log.append(writer.complete());
	} catch (error) {
		take({ error: toScriptError("`ask`", error) });
	} finally {
		log.end();
	}
}

function toEventsAnswer(log: EventLog<AskEvent>, controller: AbortController): EventsAnswer {
	let index = 0;
	return {
		kind: "events",
		next() {
			index += 1;
			return log.at(index - 1);
		},
		leave: () => controller.abort(),
	};
}

function toJsonAnswer(last: AskEvent | undefined) {
	if (last?.type === "ask.failed") return answerFailure({ status: 500, ...last.error });
	return answerJson((last as { readonly answer?: Answer } | undefined)?.answer ?? {});
}
