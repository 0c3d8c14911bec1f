import type { Json, JsonObject, RunResult } from "@stemma/core";
import type { RunRecord, WireRunEvent } from "../types/run";
import type { ThreadReference } from "../types/thread";
import { EventLog } from "./event-log";
import { readReply, toScriptError } from "./scripts/read-reply";
import { RunWriter } from "./scripts/run-writer";
import {
	isPromiseLike,
	type PartialRunEvent,
	type RunReply,
	type RunScript,
	type ScriptedEvent,
} from "./scripts/script";

/** Options of a run of the fake service, which plays a script. */
export interface FakeRunOptions {
	/** Number of the run, from 1. */
	readonly number: number;
	readonly agent: string;
	readonly input: Json;
	readonly context: JsonObject;
	readonly isBackground: boolean;
	readonly script: RunScript;
	readonly now: () => number;
	/** Message of a thread that it answers. */
	readonly reference?: ThreadReference | undefined;
}

/** One run: it goes on whether anyone reads it or not, as in a service. */
export class FakeRun {
	readonly id: string;
	/** Lets a client key read and stop it. */
	readonly token: string;
	readonly log = new EventLog<WireRunEvent>();
	readonly #options: FakeRunOptions;
	readonly #writer: RunWriter;
	readonly #controller = new AbortController();
	readonly #createdAt: string;
	#result: RunResult | undefined;

	constructor(options: FakeRunOptions) {
		const { number, agent, input, now, reference } = options;
		this.id = `run_${toDigits(number)}`;
		this.token = `rt_${toDigits(number)}`;
		this.#options = options;
		this.#writer = new RunWriter({ runId: this.id, agent, input, now });
		this.#createdAt = new Date(now()).toISOString();
		this.#append(this.#writer.start().map((event) => ({ ...event, ...reference })));
		this.#play().catch(() => undefined);
	}

	get record(): RunRecord {
		const { agent, isBackground, input, context, reference } = this.#options;
		const result = this.#result;
		const last = this.log.events.at(-1);
		return {
			id: this.id,
			run_id: this.id,
			agent_id: agent,
			agent_slug: agent,
			agent_version: 1,
			status: result?.status ?? "running",
			background: isBackground,
			created_at: this.#createdAt,
			ended_at: result === undefined ? null : (last?.at ?? this.#createdAt),
			last_seq: last?.seq ?? 0,
			input,
			context,
			...reference,
			...(result && { result }),
		};
	}

	/** Cancels the run; has no effect on one that has ended. */
	cancel(): void {
		this.#append(this.#writer.cancel());
		this.#controller.abort();
	}

	async #play(): Promise<void> {
		const { agent, input, context, script } = this.#options;
		const { signal } = this.#controller;
		try {
			const reply = typeof script === "function" ? script({ agent, input, context, signal }) : script;
			const reading = this.#read(isPromiseLike(reply) ? await reply : reply);
			// Events that need no waiting are written synchronously, before the first read.
			if (reading !== undefined) await reading;
			this.#append(this.#writer.complete());
		} catch (error) {
			this.#append(this.#writer.write({ error: toScriptError(JSON.stringify(agent), error) }));
		} finally {
			// Whoever waits for a run is not left waiting, whatever went wrong.
			this.log.end();
		}
	}

	#read(reply: RunReply): Promise<void> | undefined {
		return readReply<ScriptedEvent>(typeof reply === "string" ? { output: reply } : reply, {
			signal: this.#controller.signal,
			terminalFields: ["output", "error"],
			types: EVENT_TYPES,
			onEvent: (event) => this.#append(this.#writer.write(event)),
			isEnded: () => this.#writer.isEnded,
		});
	}

	#append(events: readonly WireRunEvent[]): void {
		const last = events.at(-1);
		if (last !== undefined && "result" in last) this.#result = last.result;
		this.log.append(events);
		if (this.#writer.isEnded) this.log.end();
	}
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
