/** An event of a run, as the wire has it. */
export interface LoggedEvent {
	readonly type: string;
	readonly seq: number;
	readonly [name: string]: unknown;
}

/** A run that was started, with all that happens in it. */
export interface HostileRun {
	readonly id: string;
	readonly token: string;
	/** The `Idempotency-Key` that it was started with. */
	readonly key: string;
	readonly agent: string;
	/** The whole run; the last one is `run.completed`, or `run.cancelled` once it was. */
	events: LoggedEvent[];
	/** The last event that anyone was sent. */
	sentSeq: number;
	isCancelled: boolean;
}

/** Runs by their idempotency keys: one key starts one run, however often it comes. */
export interface RunLog {
	/** In the order in which they were started. */
	readonly runs: readonly HostileRun[];
	start(key: string, agent: string): HostileRun;
	find(id: string): HostileRun | undefined;
	cancel(run: HostileRun): void;
	/** As a service that lost its data. */
	clear(): void;
}

export function createRunLog(words: readonly string[]): RunLog {
	const runs: HostileRun[] = [];
	let current: HostileRun[] = [];

	return {
		runs,
		start(key, agent) {
			const existing = current.find((run) => run.key === key && run.agent === agent);
			if (existing !== undefined) return existing;
			const number = runs.length + 1;
			const [id, token] = [`run_${number}`, `rt_hostile_secret_${number}`];
			const events = writeEvents(id, token, words);
			const run = { id, token, key, agent, events, sentSeq: 0, isCancelled: false };
			runs.push(run);
			current.push(run);
			return run;
		},
		find: (id) => current.find((run) => run.id === id),
		cancel(run) {
			if (run.isCancelled || run.sentSeq === run.events.length) return;
			run.isCancelled = true;
			const seq = run.sentSeq + 1;
			const result = toResult(run.id, "cancelled", null);
			run.events = [
				...run.events.slice(0, run.sentSeq),
				{ ...toBase(run.id, seq), type: "run.cancelled", result },
			];
		},
		clear() {
			current = [];
		},
	};
}

const toBase = (id: string, seq: number) => ({ run_id: id, seq, at: "2026-01-01T00:00:00.000Z" });

const toResult = (id: string, status: string, output: string | null) => ({
	run_id: id,
	status,
	output,
	citations: [],
	usage: { input_tokens: 3, output_tokens: 2, model_calls: 1, steps: 2 },
	receipt: [],
});

function writeEvents(id: string, token: string, words: readonly string[]): LoggedEvent[] {
	const deltas = words.map((text, index) => ({
		...toBase(id, index + 2),
		type: "text.delta",
		node: "desk",
		invocation: 1,
		text,
		final: true,
	}));
	return [
		{ ...toBase(id, 1), type: "run.started", run_token: token },
		...deltas,
		{
			...toBase(id, words.length + 2),
			type: "run.completed",
			result: toResult(id, "completed", words.join("")),
		},
	];
}

/** The result that the last event carries. */
export const resultOf = (run: HostileRun): object => run.events.at(-1)?.result as object;
