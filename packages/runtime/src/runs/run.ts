import type { RunRecord, WireRunEvent } from "@stemma/client";
import type { RunError, RunResult } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import { createEventLog, type EventLog } from "./event-log";
import { createEnding, followEvent, type RunProgress } from "./run-progress";

/** Characters of JSON that the log of one run may have. */
const MAX_LOG_LENGTH = 4_000_000;

/** A run that nobody watches for so long is cancelled. */
export const UNWATCHED_MS = 600_000;

/** A run under way, or one that has ended and is still remembered. */
export interface Run {
	readonly id: string;
	readonly log: Pick<EventLog, "after" | "lastSeq" | "length">;
	/** The final text so far. */
	readonly text: string;
	/** Once it has ended. */
	readonly result: RunResult | undefined;
	/** Resolves for every ending. */
	readonly ended: Promise<RunResult>;
	/** Cancels it; nothing happens to a run that has ended. */
	cancel(): void;
	/** Ends it now as cancelled, whatever its source still does. */
	abandon(): void;
	/** Calls back after each event, until the function that it returns is called: while anybody watches, it goes on. */
	watch(onChange: () => void): () => void;
	toRecord(): RunRecord;
}

/** What is run. */
export interface RunSubject {
	readonly agentId: string;
	readonly agentVersion: number;
}

export interface RunOptions {
	readonly subject: RunSubject;
	readonly controller: AbortController;
	/** How it is told when the source breaks half-way. */
	readonly explain: (error: unknown) => RunError;
}

const STOPPED = { code: "upstream_unavailable", hint: "Run it again." };

/** Follows the events of a run from its first to its last, whether anyone reads them or not. */
export function createRun(
	first: WireRunEvent,
	rest: AsyncIterator<WireRunEvent>,
	{ subject, controller, explain }: RunOptions,
): Run {
	const log = createEventLog(MAX_LOG_LENGTH);
	const watchers = new Set<() => void>();
	let progress: RunProgress = { runId: first.run_id, lastSeq: 0, text: "" };
	let endedAt: string | null = null;
	let resolveEnded: (result: RunResult) => void = () => undefined;
	const ended = new Promise<RunResult>((resolve) => {
		resolveEnded = resolve;
	});
	let unwatched = startUnwatched();

	function startUnwatched(): NodeJS.Timeout {
		return setTimeout(() => controller.abort(), UNWATCHED_MS).unref();
	}

	function take(event: WireRunEvent): void {
		if (progress.result !== undefined) return;
		log.append(event);
		progress = followEvent(progress, event);
		if (progress.result !== undefined) {
			endedAt = event.at;
			clearTimeout(unwatched);
			resolveEnded(progress.result);
		}
		for (const onChange of [...watchers]) onChange();
	}

	const end = (error?: RunError): void => take(createEnding(progress, new Date().toISOString(), error));

	async function follow(): Promise<void> {
		try {
			while (progress.result === undefined) {
				const next = await rest.next();
				if (next.done === true) throw new StemmaError("The run's events stopped before its end.", STOPPED);
				take(next.value);
			}
			await rest.return?.();
		} catch (error) {
			if (progress.result === undefined) end(controller.signal.aborted ? undefined : explain(error));
		}
	}

	take(first);
	void follow();
	return {
		id: first.run_id,
		log,
		get text() {
			return progress.text;
		},
		get result() {
			return progress.result;
		},
		ended,
		cancel: () => controller.abort(),
		abandon() {
			controller.abort();
			end();
		},
		watch(onChange) {
			// One callback may watch twice; a set of functions would count it once.
			const watcher = (): void => onChange();
			watchers.add(watcher);
			clearTimeout(unwatched);
			return () => {
				if (!watchers.delete(watcher) || watchers.size > 0 || progress.result !== undefined) return;
				unwatched = startUnwatched();
			};
		},
		toRecord: () => toRecord(first, subject, progress, endedAt),
	};
}

function toRecord(
	{ run_id, at }: WireRunEvent,
	{ agentId, agentVersion }: RunSubject,
	{ lastSeq, result }: RunProgress,
	endedAt: string | null,
): RunRecord {
	return {
		id: run_id,
		agent_id: agentId,
		agent_slug: agentId,
		agent_version: agentVersion,
		status: result?.status ?? "running",
		background: false,
		created_at: at,
		ended_at: endedAt,
		last_seq: lastSeq,
		...(result === undefined ? {} : { result }),
	};
}
