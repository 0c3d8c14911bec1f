import type { Json, JsonObject, RunResult } from "@stemma/core";
import type { RunRecord, WireRunEvent } from "../types/run";
import { createEventLog, type EventLog } from "./event-log";
import { createRunWriter } from "./run-writer";
import { listScripted, type RunScript, type ScriptedEvent } from "./script";

/** One run: it goes on whether anyone reads it or not, as in a service. */
export interface FakeRun {
	readonly id: string;
	/** Lets a client key read and stop it. */
	readonly token: string;
	readonly log: EventLog<WireRunEvent>;
	readonly record: RunRecord;
	/** Nothing happens to a run that has ended. */
	cancel(): void;
}

export interface FakeRunOptions {
	/** From 1. */
	readonly number: number;
	readonly agent: string;
	readonly input: Json;
	readonly context: JsonObject;
	readonly isBackground: boolean;
	readonly script: RunScript;
	readonly now: () => number;
}

export function startFakeRun({ number, agent, script, isBackground, ...options }: FakeRunOptions): FakeRun {
	const id = `run_${toDigits(number)}`;
	const log = createEventLog<WireRunEvent>();
	const writer = createRunWriter({ runId: id, agent, ...options });
	const controller = new AbortController();
	const createdAt = new Date(options.now()).toISOString();
	let result: RunResult | undefined;

	function append(events: readonly WireRunEvent[]): void {
		const last = events.at(-1);
		if (last !== undefined && "result" in last) result = last.result;
		log.append(events);
		if (writer.isEnded) log.end();
	}

	const write = (scripted: ScriptedEvent): void => append(writer.write(scripted));

	/** What needs not be waited for is there before anyone reads. */
	function play(script: Exclude<RunScript, (...args: never) => unknown>): Promise<void> | undefined {
		const events = listScripted<ScriptedEvent>(typeof script === "string" ? { output: script } : script);
		if (Symbol.asyncIterator in events) return playSlowly(events);
		for (const event of events) write(event);
		append(writer.complete());
		return undefined;
	}

	async function playSlowly(events: AsyncIterable<ScriptedEvent>): Promise<void> {
		for await (const event of events) {
			write(event);
			if (writer.isEnded) return;
		}
		append(writer.complete());
	}

	async function start(): Promise<void> {
		try {
			const { input, context } = options;
			const reply =
				typeof script === "function" ? script({ agent, input, context, signal: controller.signal }) : script;
			await play(reply instanceof Promise ? await reply : reply);
		} catch (error) {
			write({ error: toScriptError(agent, error) });
		}
	}

	append(writer.start());
	void start();

	return {
		id,
		token: `rt_${toDigits(number)}`,
		log,
		get record(): RunRecord {
			const last = log.events.at(-1);
			return {
				id,
				agent_id: agent,
				agent_slug: agent,
				agent_version: 1,
				status: result?.status ?? "running",
				background: isBackground,
				created_at: createdAt,
				ended_at: result === undefined ? null : (last?.at ?? createdAt),
				last_seq: last?.seq ?? 0,
				...(result === undefined ? {} : { result }),
			};
		},
		cancel() {
			append(writer.cancel());
			controller.abort();
		},
	};
}

const ID_DIGITS = 26;

const toDigits = (number: number): string => String(number).padStart(ID_DIGITS, "0");

const toScriptError = (agent: string, error: unknown) => ({
	code: "script_failed",
	message: `The script of "${agent}" threw: ${error instanceof Error ? error.message : error}`,
	hint: "Look at what was passed to the fake's `agents.on`.",
});
