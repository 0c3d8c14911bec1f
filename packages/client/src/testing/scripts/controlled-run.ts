import { createDeferred } from "../../streams/deferred";
import { EventLog } from "../event-log";
import type { RunScript, ScriptedAnswer, ScriptedEvent, ScriptedRunRequest } from "./script";

/** A run that goes on only when the test says so. */
export interface ControlledRun {
	/** Script to pass to `agents.on`. */
	readonly script: RunScript;
	/** Request of the run, once it was started. */
	readonly started: Promise<ScriptedRunRequest>;
	/** Lets these events happen now; text is text of the answer. */
	send(...events: readonly ScriptedEvent[]): void;
	/** Completes the run. Default: with the text so far. */
	complete(answer?: ScriptedAnswer): void;
	fail(error: { readonly code: string; readonly message: string; readonly hint?: string }): void;
}

/** A run by hand: `agents.on("support-desk", run.script)`, then `run.send("Two ")`, and in the end `run.complete()`. */
export function createControlledRun(): ControlledRun {
	const started = createDeferred<ScriptedRunRequest>();
	const log = new EventLog<ScriptedEvent>();

	async function* read(): AsyncGenerator<ScriptedEvent> {
		for (let index = 0; ; index++) {
			const event = await log.at(index);
			if (event === undefined) return;
			yield event;
		}
	}

	function end(...events: readonly ScriptedEvent[]): void {
		log.append(events);
		log.end();
	}

	return {
		script(request) {
			started.resolve(request);
			return read();
		},
		started: started.promise,
		send: (...events) => log.append(events),
		complete: (answer) => end(...(answer === undefined ? [] : [answer])),
		fail: (error) => end({ error }),
	};
}
