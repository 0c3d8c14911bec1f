import type { RunError } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import type { RunInput, RunnableAgent } from "../agents/runnable-agent";
import { createRun, type Run, type RunSubject } from "./run";

/** A run is remembered for so long after its end. */
export const REMEMBERED_MS = 600_000;
/** Characters of JSON in the logs of all runs that have ended; beyond, the oldest are forgotten before their time. */
const MAX_TOTAL_LENGTH = 256_000_000;
/** How many ids of forgotten runs are kept, to tell them from runs that never were. */
const MAX_FORGOTTEN = 10_000;
/** How long a cancelled run may take to end by itself. */
const CANCEL_MS = 2_000;

export interface RunStart {
	readonly agent: RunnableAgent;
	readonly subject: RunSubject;
	readonly input: RunInput;
	readonly depth: number;
}

/** The runs of one runtime, in memory. */
export interface RunRegistry {
	/** Starts a run; it has begun when this resolves. Fails with what its source failed with, and nothing was started then. */
	start(start: RunStart): Promise<Run>;
	find(id: string): Run | "forgotten" | undefined;
	/** Calls back when the run is forgotten. */
	onForget(listener: (run: Run) => void): void;
	/** Lets all runs end until the time is over, then cancels them. */
	close(graceMs: number): Promise<void>;
}

export function createRunRegistry(explain: (error: unknown) => RunError): RunRegistry {
	const runs = new Map<string, Run>();
	const forgotten = new Set<string>();
	const starting = new Map<AbortController, Promise<Run>>();
	const listeners: ((run: Run) => void)[] = [];
	let keptLength = 0;

	function forget(run: Run): void {
		if (!runs.delete(run.id)) return;
		keptLength -= run.log.length;
		forgotten.add(run.id);
		for (const id of forgotten) {
			if (forgotten.size <= MAX_FORGOTTEN) break;
			forgotten.delete(id);
		}
		for (const listener of listeners) listener(run);
	}

	function keep(run: Run): void {
		keptLength += run.log.length;
		setTimeout(() => forget(run), REMEMBERED_MS).unref();
		for (const kept of runs.values()) {
			if (keptLength <= MAX_TOTAL_LENGTH) return;
			if (kept.result !== undefined) forget(kept);
		}
	}

	async function begin(
		{ agent, subject, input, depth }: RunStart,
		controller: AbortController,
	): Promise<Run> {
		const events = agent.start(input, { signal: controller.signal, depth })[Symbol.asyncIterator]();
		const first = await events.next();
		if (first.done === true)
			throw new StemmaError("The run ended before it began.", { code: "upstream_unavailable" });
		const run = createRun(first.value, events, { subject, controller, explain });
		runs.set(run.id, run);
		void run.ended.then(() => keep(run));
		return run;
	}

	const unfinished = (): Run[] => [...runs.values()].filter(({ result }) => result === undefined);

	async function allEnded(): Promise<void> {
		await Promise.allSettled(starting.values());
		await Promise.all(unfinished().map(({ ended }) => ended));
	}

	return {
		async start(start) {
			const controller = new AbortController();
			const begun = begin(start, controller);
			starting.set(controller, begun);
			try {
				return await begun;
			} finally {
				starting.delete(controller);
			}
		},
		find: (id) => runs.get(id) ?? (forgotten.has(id) ? "forgotten" : undefined),
		onForget: (listener) => void listeners.push(listener),
		async close(graceMs) {
			await within(graceMs, allEnded());
			for (const controller of starting.keys()) controller.abort();
			for (const run of unfinished()) run.cancel();
			await within(CANCEL_MS, allEnded());
			for (const run of unfinished()) run.abandon();
		},
	};
}

/** Waits for the work, at most so long. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const timeOver = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, milliseconds);
	});
	await Promise.race([work, timeOver]);
	clearTimeout(timer);
}
