import { type AgentRunStream, ConfigurationError, type RunInput, type WireRunEvent } from "@stemma/client";
import { createLiveState, soon } from "./live-state";
import {
	endRun,
	failRun,
	IDLE_RUN,
	type RunHandle,
	type RunState,
	reduceRun,
	toRunningRun,
} from "./run-state";

/** Starts runs: `stemma.agents`, `agents(client)` or `runtimeAgents(…)`. */
export interface RunAgents {
	stream(agent: string, request: RunInput): AgentRunStream;
}

/** Rejoins runs: `stemma.runs`, `runs(client)` or `runtimeAgents(…).runs`. */
export interface RejoinableRuns {
	stream(
		runId: string,
		options: { readonly runToken?: string | undefined; readonly after?: number },
	): AgentRunStream;
}

/** What may be another one at each render. */
export interface RunStoreOptions {
	readonly agents: RunAgents;
	readonly runs?: RejoinableRuns | undefined;
	readonly onStart?: ((handle: RunHandle) => void) | undefined;
}

/** One place of a page that shows runs of one agent, one at a time. */
export interface RunStore {
	configure(options: RunStoreOptions): void;
	get(): RunState;
	subscribe(listener: () => void): () => void;
	start(request: RunInput): void;
	cancel(): void;
	reset(): void;
}

/** Nothing happens before somebody subscribes or starts: a render may make stores that are never used. */
export function createRunStore(agentId: string, initial: RunStoreOptions, rejoin?: RunHandle): RunStore {
	const live = createLiveState(rejoin === undefined ? IDLE_RUN : toRunningRun(rejoin), () => soon(catchUp));
	let options = initial;
	/** Started, and not sent yet: of two starts in one go the later counts. */
	let request: RunInput | undefined;
	/** Of the run in view. */
	let stream: AgentRunStream | undefined;
	/** `stream` while its events are read. */
	let reading: AgentRunStream | undefined;
	let lastSeq = 0;

	function catchUp(): void {
		const { status, handle } = live.get();
		if (request !== undefined) {
			const sent = request;
			request = undefined;
			void follow(() => options.agents.stream(agentId, sent));
		} else if (!live.isWatched()) {
			if (handle !== undefined) leave();
		} else if (status === "running" && reading === undefined) void follow(openAgain);
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
			if (reading === followed) end(failRun(live.get(), error));
		}
	}

	function take(event: WireRunEvent, { runId, runToken }: AgentRunStream): void {
		lastSeq = event.seq;
		const next = reduceRun(live.get(), event);
		if (next.handle !== undefined || runId === undefined) return live.setSoon(next);
		const handle = { runId, runToken };
		live.set({ ...next, handle });
		const { onStart } = options;
		// Not here: what it throws is no failure of the run.
		if (onStart !== undefined) soon(() => onStart(handle));
	}

	function end(state: RunState): void {
		reading = undefined;
		live.set(state);
	}

	/** Where a run was left. Without `runs`, its own stream still gets at its result. */
	function openAgain(): AgentRunStream {
		const { handle } = live.get();
		if (options.runs !== undefined && handle !== undefined)
			return options.runs.stream(handle.runId, { runToken: handle.runToken, after: lastSeq });
		if (stream !== undefined) return stream;
		throw new ConfigurationError("useRun: `rejoin` needs `runs` beside it: `stemma.runs` or `runs(client)`.");
	}

	function leave(): void {
		reading = undefined;
		stream?.close();
	}

	function replaceBy(state: RunState): void {
		stream?.cancel();
		leave();
		stream = undefined;
		request = undefined;
		lastSeq = 0;
		live.set(state);
	}

	return {
		configure(next) {
			options = next;
		},
		get: live.get,
		subscribe: live.subscribe,
		start(next) {
			replaceBy(toRunningRun());
			request = next;
			soon(catchUp);
		},
		cancel() {
			catchUp();
			stream?.cancel();
		},
		reset: () => replaceBy(IDLE_RUN),
	};
}
