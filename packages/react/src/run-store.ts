import {
	type AgentRunStream,
	ConfigurationError,
	type RunInput,
	type RunResult,
	type WireRunEvent,
} from "@stemma/client";
import { assertJson } from "./assert-json";
import {
	endRun,
	failRun,
	IDLE_RUN,
	type RunHandle,
	type RunState,
	reduceRun,
	resumeRun,
	toRunningRun,
} from "./run-state";
import { StreamReader } from "./stream-reader";
import { createThrottledStore, queueSafely, type ThrottledStore } from "./throttled-store";

/** Starts runs: `stemma.agents`, `agents(client)` or `runtimeAgents(…)`. */
export interface RunAgents {
	stream(agent: string, request: RunInput): AgentRunStream;
}

/** Rejoins runs: `stemma.runs`, `runs(client)` or `runtimeAgents(…).runs`. */
export interface RejoinableRuns {
	stream(
		run_id: string,
		options: { readonly run_token?: string | undefined; readonly after?: number },
	): AgentRunStream;
}

/** Options that may change at each render. */
export interface RunStoreOptions {
	readonly agents: RunAgents;
	readonly runs?: RejoinableRuns | undefined;
	readonly onStart?: ((handle: RunHandle, agentId: string) => void) | undefined;
}

/**
 * State of one component that shows runs of one agent, one at a time. It does nothing until it has a subscriber or a run is
 * started, because a render may create stores that are never used.
 */
export class RunStore {
	readonly #agentId: string;
	readonly #store: ThrottledStore<RunState, WireRunEvent>;
	readonly #reader = new StreamReader<WireRunEvent, AgentRunStream, RunResult>({
		onEvent: (event, stream) => this.#onEvent(event, stream),
		getResult: (stream) => stream.result(),
		onResult: (result) => this.#end(endRun(this.get(), result)),
		onError: (error) => this.#end(failRun(this.get(), error, this.#options.runs !== undefined)),
	});
	#options: RunStoreOptions;
	#hasHandle: boolean;
	/** Stream of the run that is shown. */
	#stream: AgentRunStream | undefined;
	#lastSeq = 0;
	// These are handed on alone.
	readonly get: () => RunState;
	readonly subscribe: (listener: () => void) => () => void;

	constructor(agentId: string, options: RunStoreOptions, rejoin?: RunHandle) {
		this.#agentId = agentId;
		this.#options = options;
		this.#hasHandle = rejoin !== undefined;
		const first = rejoin === undefined ? IDLE_RUN : toRunningRun(rejoin);
		this.#store = createThrottledStore(first, reduceRun, () => queueSafely(this.#sync));
		this.get = this.#store.get;
		this.subscribe = this.#store.subscribe;
	}

	readonly configure = (options: RunStoreOptions): void => {
		this.#options = options;
	};

	readonly start = (request: RunInput): void => {
		this.#replace(toRunningRun());
		this.#reader.queued = () =>
			this.#show(this.#options.agents.stream(this.#agentId, assertJson("start", request)));
		queueSafely(this.#sync);
	};

	readonly reconnect = (): void => {
		if (this.get().canReconnect) this.#store.set(resumeRun(this.get()));
		this.#sync();
	};

	readonly cancel = (): void => {
		this.reconnect();
		this.#stream?.cancel();
	};

	readonly reset = (): void => this.#replace(IDLE_RUN);

	readonly #sync = (): void => {
		if (this.#reader.readQueued()) return;
		if (this.#store.hasSubscribers()) {
			const isLeft = this.get().status === "running" && !this.#reader.isReading;
			if (isLeft) void this.#reader.read(this.#reopen);
		} else if (this.#hasHandle) this.#detach();
	};

	#show(stream: AgentRunStream): AgentRunStream {
		this.#stream = stream;
		return stream;
	}

	#onEvent(event: WireRunEvent, { run_id, run_token }: AgentRunStream): void {
		this.#lastSeq = event.seq;
		this.#store.push(event);
		if (!this.#hasHandle && run_id !== undefined) this.#setHandle({ run_id, run_token });
		if (!this.#store.hasSubscribers()) this.#detach();
	}

	#setHandle(handle: RunHandle): void {
		this.#hasHandle = true;
		this.#store.set({ ...this.get(), handle });
		const { onStart } = this.#options;
		// Not here: what it throws is no failure of the run.
		if (onStart !== undefined) queueSafely(() => onStart(handle, this.#agentId));
	}

	#end(state: RunState): void {
		this.#reader.stop();
		this.#store.set(state);
	}

	/** Opens the run again where reading stopped. Without `runs`, the run's own stream can still get its result. */
	readonly #reopen = (): AgentRunStream => {
		const { runs } = this.#options;
		const { handle } = this.get();
		if (runs !== undefined && handle !== undefined)
			return this.#show(runs.stream(handle.run_id, { run_token: handle.run_token, after: this.#lastSeq }));
		if (this.#stream !== undefined) return this.#stream;
		throw new ConfigurationError("useRun: `rejoin` needs `runs` beside it: `stemma.runs` or `runs(client)`.");
	};

	#detach(): void {
		this.#reader.stop();
		this.#stream?.close();
	}

	#replace(state: RunState): void {
		// By a stream that was lost, nothing can be stopped any more.
		if (this.get().canReconnect) this.#reopen();
		this.#stream?.cancel();
		this.#detach();
		this.#stream = undefined;
		this.#reader.queued = undefined;
		this.#hasHandle = false;
		this.#lastSeq = 0;
		this.#store.set(state);
	}
}
