import type { InstanceBus } from "../../claims/instance-bus";
import type { WorkChange } from "../../claims/work-claims";
import { WORK_TOPIC, type WorkMessage } from "./notify-work";

/** Changes of work that other instances have made, by workspace. */
export interface WorkSignals {
	/** Calls a function with the changes in one workspace, until the returned function is called. */
	subscribe(workspaceId: string, listener: (change: WorkChange) => void): () => void;
}

type Listener = (change: WorkChange) => void;

/** Hands the messages of other instances to the workspaces that they are for. */
export function createWorkSignals(bus: InstanceBus, instanceId: string): WorkSignals {
	const listeners = new Map<string, Set<Listener>>();
	const call = (all: Iterable<Listener>, change: WorkChange): void => {
		for (const listener of [...all]) listener(change);
	};
	bus.subscribe(WORK_TOPIC, (payload) => {
		// What instances write is trusted, and not checked again.
		const { workspace, from, change } = payload as WorkMessage;
		if (from !== instanceId) call(listeners.get(workspace) ?? [], change);
	});
	bus.onMissed(() => {
		for (const all of listeners.values()) call(all, { type: "missed" });
	});
	return {
		subscribe(workspaceId, listener) {
			const all = listeners.get(workspaceId) ?? new Set();
			listeners.set(workspaceId, all.add(listener));
			return () => {
				all.delete(listener);
				if (all.size === 0 && listeners.get(workspaceId) === all) listeners.delete(workspaceId);
			};
		},
	};
}
