import type { RunInput } from "@stemma/client";
import { useEffect, useState, useSyncExternalStore } from "react";
import { IDLE_RUN, type RunHandle, type RunState } from "./run-state";
import { type RejoinableRuns, type RunAgents, RunStore } from "./run-store";
import { whenOnline } from "./when-online";

/** Options of {@link useRun}. */
export type UseRunOptions = StartOptions & (RejoinOptions | NoRejoinOptions);

interface StartOptions {
	/**
	 * Called once for each run that is started, as soon as its handle is known, also when the component has been unmounted
	 * since or shows another agent: the place to keep the handle for `rejoin`, by the agent where there are several.
	 */
	readonly onStart?: ((handle: RunHandle, agentId: string) => void) | undefined;
}

interface RejoinOptions {
	/** `stemma.runs`, `runs(client)` or `runtimeAgents(…).runs`. */
	readonly runs: RejoinableRuns;
	/**
	 * A run to show from its beginning, under way or ended: at the first render, and whenever it names another run than
	 * before; the run that was shown is left, and goes on. A run that is shown already is not rejoined, unless
	 * `canReconnect`. Give none that was kept from earlier once `start` was called: it would take the new run's place.
	 */
	readonly rejoin?: RunHandle | null | undefined;
}

interface NoRejoinOptions {
	readonly runs?: undefined;
	readonly rejoin?: undefined;
}

/** Result of {@link useRun}. The functions stay the same as long as the agent does. */
export interface UseRunResult extends RunState {
	/**
	 * Starts a run, and shows it in place of the one before, which is cancelled if it is still under way: nobody could see
	 * or stop it any more. Never throws: look at `error`.
	 */
	readonly start: (request: RunInput) => void;
	/**
	 * Goes on with a run whose connection was lost, where it was left; starts nothing, and does nothing unless
	 * `canReconnect`. A browser that is online again does it by itself.
	 */
	readonly reconnect: () => void;
	/** Stops the run; `status` says `cancelled` as soon as the service does. */
	readonly cancel: () => void;
	/** Back to `idle`; a run that is under way is cancelled. */
	readonly reset: () => void;
}

/** Store that is shown, with the agent and the run that it was chosen for. */
interface StoreSelection {
	readonly agentId: string;
	readonly rejoinId: string | undefined;
	readonly store: RunStore;
}

/**
 * Runs an agent and shows the run as it goes: renders at most once in 16 ms, however fast the text comes.
 *
 * Unmounting, and another `agentId`, leave a run, and it goes on; `start` and `reset` cancel it. On a server, `idle`.
 *
 * @param agents - `stemma.agents`, `agents(client)` or `runtimeAgents(…)`.
 * @param agentId - the agent's id or slug.
 */
export function useRun(agents: RunAgents, agentId: string, options: UseRunOptions = {}): UseRunResult {
	const { runs, rejoin, onStart } = options;
	const storeOptions = { agents, runs, onStart };
	const createSelection = (store?: RunStore): StoreSelection => ({
		agentId,
		rejoinId: rejoin?.run_id,
		store: store ?? new RunStore(agentId, storeOptions, rejoin ?? undefined),
	});
	const [selection, setSelection] = useState(() => createSelection());
	const { store } = selection;
	const isOtherAgent = selection.agentId !== agentId;
	const isOtherRejoin = selection.rejoinId !== rejoin?.run_id;
	if (isOtherAgent || isOtherRejoin) {
		const isShown = !isOtherRejoin || rejoin == null || isShowing(store.get(), rejoin);
		if (!isShown) setSelection(createSelection());
		else setSelection(createSelection(isOtherAgent ? new RunStore(agentId, storeOptions) : store));
	}
	useEffect(() => store.configure(storeOptions));
	useEffect(() => whenOnline(store.reconnect), [store]);
	const state = useSyncExternalStore(store.subscribe, store.get, getServerState);
	const { start, reconnect, cancel, reset } = store;
	return { ...state, start, reconnect, cancel, reset };
}

const isShowing = ({ handle, canReconnect }: RunState, { run_id }: RunHandle): boolean =>
	run_id === handle?.run_id && !canReconnect;

const getServerState = (): RunState => IDLE_RUN;
