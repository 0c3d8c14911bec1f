import type { Json, JsonObject, RunResult } from "@stemma/core";
import type { RunRecord, WireRunEvent } from "../types/run";
import { createEventLog, type EventLog } from "./event-log";
import { readReply, toScriptError } from "./scripts/read-reply";
import { createRunWriter } from "./scripts/run-writer";
import {
	isPromiseLike,
	type PartialRunEvent,
	type RunReply,
	type RunScript,
	type ScriptedEvent,
} from "./scripts/script";

/** One run: it goes on whether anyone reads it or not, as in a service. */
export interface FakeRun {
	readonly id: string;
	/** Lets a client key read and stop it. */
	readonly token: string;
	readonly log: EventLog<WireRunEvent>;
	readonly record: RunRecord;
	/** Cancels the run; has no effect on one that has ended. */
	cancel(): void;
}

export interface FakeRunOptions {
	/** Number of the run, from 1. */
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

	/** Plays a reply. Events that need no waiting are written synchronously, before the first read. */
	function play(reply: RunReply): Promise<void> | undefined {
		const pending = readReply<ScriptedEvent>(typeof reply === "string" ? { output: reply } : reply, {
			signal: controller.signal,
			terminalFields: ["output", "error"],
			types: EVENT_TYPES,
			onEvent: write,
			isEnded: () => writer.isEnded,
		});
		const complete = (): void => append(writer.complete());
		if (pending !== undefined) return pending.then(complete);
		complete();
		return undefined;
	}

	async function start(): Promise<void> {
		try {
			const { input, context } = options;
			const reply =
				typeof script === "function" ? script({ agent, input, context, signal: controller.signal }) : script;
			await play(isPromiseLike(reply) ? await reply : reply);
		} catch (error) {
			write({ error: toScriptError(JSON.stringify(agent), error) });
		} finally {
			// Whoever waits for a run is not left waiting, whatever went wrong.
			log.end();
		}
	}

	append(writer.start());
	start().catch(() => undefined);

	return {
		id,
		token: `rt_${toDigits(number)}`,
		log,
		get record(): RunRecord {
			const last = log.events.at(-1);
			return {
				id,
				run_id: id,
				agent_id: agent,
				agent_slug: agent,
				agent_version: 1,
				status: result?.status ?? "running",
				background: isBackground,
				created_at: createdAt,
				ended_at: result === undefined ? null : (last?.at ?? createdAt),
				last_seq: last?.seq ?? 0,
				input: options.input,
				context: options.context,
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

/** All of them: a new kind of event does not compile until it is here. */
const EVENT_TYPES = Object.keys({
	"run.resumed": 0,
	"node.started": 0,
	"text.delta": 0,
	"text.reset": 0,
	"reasoning.delta": 0,
	"tool.called": 0,
	"tool.skipped": 0,
	"node.completed": 0,
	"node.failed": 0,
	"run.paused": 0,
	"run.completed": 0,
	"run.failed": 0,
	"run.cancelled": 0,
} satisfies Record<PartialRunEvent["type"], 0>);
