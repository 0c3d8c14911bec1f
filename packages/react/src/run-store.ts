import { type AgentRunStream, ConfigurationError, type RunInput, type WireRunEvent } from "@stemma/client";
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
import { createThrottledStore, queueSafely } from "./throttled-store";

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

/** State of one component that shows runs of one agent, one at a time. */
export interface RunStore {
	configure(options: RunStoreOptions): void;
	get(): RunState;
	subscribe(listener: () => void): () => void;
	start(request: RunInput): void;
	reconnect(): void;
	cancel(): void;
	reset(): void;
}

/**
 * Creates a store that does nothing until it has a subscriber or a run is started, because a render may create stores
 * that are never used.
 */
export function createRunStore(agentId: string, initial: RunStoreOptions, rejoin?: RunHandle): RunStore {
	const first = rejoin === undefined ? IDLE_RUN : toRunningRun(rejoin);
	const store = createThrottledStore(first, reduceRun, () => queueSafely(sync));
	let options = initial;
	/** Opens the stream of a run that is not sent yet. Of two starts in the same tick, the later one is sent. */
	let send: (() => AgentRunStream) | undefined;
	let hasHandle = rejoin !== undefined;
	/** Stream of the run that is shown. */
	let stream: AgentRunStream | undefined;
	/** `stream` while the store reads its events; else undefined. */
	let reading: AgentRunStream | undefined;
	let lastSeq = 0;

	function sync(): void {
		const openStream = send;
		send = undefined;
		if (openStream !== undefined) void follow(openStream);
		else if (!store.hasSubscribers()) {
			if (hasHandle) detach();
		} else if (store.get().status === "running" && reading === undefined) void follow(reopen);
	}

	async function follow(open: () => AgentRunStream): Promise<void> {
		let current: AgentRunStream | undefined;
		try {
			current = open();
			stream = current;
			reading = current;
			for await (const event of current) {
				if (reading !== current) return;
				handleEvent(event, current);
				if (!store.hasSubscribers()) return detach();
			}
			if (reading !== current) return;
			const result = await current.result();
			if (reading === current) end(endRun(store.get(), result));
		} catch (error) {
			if (reading === current) end(failRun(store.get(), error, options.runs !== undefined));
		}
	}

	function handleEvent(event: WireRunEvent, { run_id, run_token }: AgentRunStream): void {
		lastSeq = event.seq;
		store.push(event);
		if (hasHandle || run_id === undefined) return;
		hasHandle = true;
		const handle = { run_id, run_token };
		store.set({ ...store.get(), handle });
		const { onStart } = options;
		// Not here: what it throws is no failure of the run.
		if (onStart !== undefined) queueSafely(() => onStart(handle, agentId));
	}

	function end(state: RunState): void {
		reading = undefined;
		store.set(state);
	}

	/** Opens the run again where reading stopped. Without `runs`, the run's own stream can still get its result. */
	function reopen(): AgentRunStream {
		const { handle } = store.get();
		if (options.runs !== undefined && handle !== undefined)
			return options.runs.stream(handle.run_id, { run_token: handle.run_token, after: lastSeq });
		if (stream !== undefined) return stream;
		throw new ConfigurationError("useRun: `rejoin` needs `runs` beside it: `stemma.runs` or `runs(client)`.");
	}

	function detach(): void {
		reading = undefined;
		stream?.close();
	}

	function replaceState(state: RunState): void {
		// By a stream that was lost, nothing can be stopped any more.
		if (store.get().canReconnect) stream = reopen();
		stream?.cancel();
		detach();
		stream = undefined;
		send = undefined;
		hasHandle = false;
		lastSeq = 0;
		store.set(state);
	}

	function reconnect(): void {
		if (store.get().canReconnect) store.set(resumeRun(store.get()));
		sync();
	}

	return {
		configure(next) {
			options = next;
		},
		get: store.get,
		subscribe: store.subscribe,
		start(next) {
			replaceState(toRunningRun());
			send = () => options.agents.stream(agentId, assertJson("start", next));
			queueSafely(sync);
		},
		reconnect,
		cancel() {
			reconnect();
			stream?.cancel();
		},
		reset: () => replaceState(IDLE_RUN),
	};
}
