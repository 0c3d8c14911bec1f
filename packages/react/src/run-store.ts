import { type AgentRunStream, ConfigurationError, type RunInput, type WireRunEvent } from "@stemma/client";
import { demandJson } from "./demand-json";
import { createLiveState, soon } from "./live-state";
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

/** What may be another one at each render. */
export interface RunStoreOptions {
	readonly agents: RunAgents;
	readonly runs?: RejoinableRuns | undefined;
	readonly onStart?: ((handle: RunHandle, agentId: string) => void) | undefined;
}

/** One place of a page that shows runs of one agent, one at a time. */
export interface RunStore {
	configure(options: RunStoreOptions): void;
	get(): RunState;
	subscribe(listener: () => void): () => void;
	start(request: RunInput): void;
	reconnect(): void;
	cancel(): void;
	reset(): void;
}

/** Nothing happens before somebody subscribes or starts: a render may make stores that are never used. */
export function createRunStore(agentId: string, initial: RunStoreOptions, rejoin?: RunHandle): RunStore {
	const first = rejoin === undefined ? IDLE_RUN : toRunningRun(rejoin);
	const live = createLiveState(first, reduceRun, () => soon(catchUp));
	let options = initial;
	/** Of a run that is not sent yet: of two starts in one go the later counts. */
	let send: (() => AgentRunStream) | undefined;
	let hasHandle = rejoin !== undefined;
	/** Of the run in view. */
	let stream: AgentRunStream | undefined;
	/** `stream` while its events are read. */
	let reading: AgentRunStream | undefined;
	let lastSeq = 0;

	function catchUp(): void {
		const sent = send;
		send = undefined;
		if (sent !== undefined) void follow(sent);
		else if (!live.isWatched()) {
			if (hasHandle) leave();
		} else if (live.get().status === "running" && reading === undefined) void follow(openAgain);
	}

	async function follow(open: () => AgentRunStream): Promise<void> {
		let followed: AgentRunStream | undefined;
		try {
			followed = open();
			stream = followed;
			reading = followed;
			for await (const event of followed) {
				if (reading !== followed) return;
				take(event, followed);
				if (!live.isWatched()) return leave();
			}
			if (reading !== followed) return;
			const result = await followed.result();
			if (reading === followed) end(endRun(live.get(), result));
		} catch (error) {
			if (reading === followed) end(failRun(live.get(), error, options.runs !== undefined));
		}
	}

	function take(event: WireRunEvent, { run_id, run_token }: AgentRunStream): void {
		lastSeq = event.seq;
		live.push(event);
		if (hasHandle || run_id === undefined) return;
		hasHandle = true;
		const handle = { run_id, run_token };
		live.set({ ...live.get(), handle });
		const { onStart } = options;
		// Not here: what it throws is no failure of the run.
		if (onStart !== undefined) soon(() => onStart(handle, agentId));
	}

	function end(state: RunState): void {
		reading = undefined;
		live.set(state);
	}

	/** Where a run was left. Without `runs`, its own stream still gets at its result. */
	function openAgain(): AgentRunStream {
		const { handle } = live.get();
		if (options.runs !== undefined && handle !== undefined)
			return options.runs.stream(handle.run_id, { run_token: handle.run_token, after: lastSeq });
		if (stream !== undefined) return stream;
		throw new ConfigurationError("useRun: `rejoin` needs `runs` beside it: `stemma.runs` or `runs(client)`.");
	}

	function leave(): void {
		reading = undefined;
		stream?.close();
	}

	function replaceBy(state: RunState): void {
		// By a stream that was lost, nothing can be stopped any more.
		if (live.get().canReconnect) stream = openAgain();
		stream?.cancel();
		leave();
		stream = undefined;
		send = undefined;
		hasHandle = false;
		lastSeq = 0;
		live.set(state);
	}

	function reconnect(): void {
		if (live.get().canReconnect) live.set(resumeRun(live.get()));
		catchUp();
	}

	return {
		configure(next) {
			options = next;
		},
		get: live.get,
		subscribe: live.subscribe,
		start(next) {
			replaceBy(toRunningRun());
			send = () => options.agents.stream(agentId, demandJson("start", next));
			soon(catchUp);
		},
		reconnect,
		cancel() {
			reconnect();
			stream?.cancel();
		},
		reset: () => replaceBy(IDLE_RUN),
	};
}
