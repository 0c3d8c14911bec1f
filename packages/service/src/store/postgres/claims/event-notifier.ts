import type { InstanceBus } from "../../claims/instance-bus";
import { splitChange, WORK_TOPIC, type WorkMessage } from "./notify-work";

/**
 * Tells other instances of events of runs that are stored. It does so after the transaction that stores them: commits that
 * notify wait for each other in the server, all of a database, each until it is on the disk. What gathers while one message
 * is on its way goes together in the next one.
 */
export interface EventNotifier {
	/** Resolves to nothing and throws nothing: where the database cannot be reached, it is told once that is so again. */
	add(workspaceId: string, runIds: readonly string[]): void;
}

/** @param instanceId - of this instance, which does not need to be told. */
export function createEventNotifier(
	bus: Pick<InstanceBus, "publish" | "onMissed">,
	instanceId: string,
): EventNotifier {
	let pending = new Map<string, Set<string>>();
	let isSending = false;

	async function sendAll(): Promise<void> {
		if (isSending) return;
		isSending = true;
		while (pending.size > 0) {
			const batch = pending;
			pending = new Map();
			try {
				await bus.publish(WORK_TOPIC, ...toMessages(batch, instanceId));
			} catch {
				for (const [workspaceId, runIds] of batch) gather(workspaceId, runIds);
				break;
			}
		}
		isSending = false;
	}

	function gather(workspaceId: string, runIds: Iterable<string>): void {
		const all = pending.get(workspaceId) ?? new Set();
		for (const id of runIds) all.add(id);
		pending.set(workspaceId, all);
	}

	// Its connection is a new one: what was not sent on the last one is sent now.
	bus.onMissed(() => void sendAll());
	return {
		add(workspaceId, runIds) {
			gather(workspaceId, runIds);
			void sendAll();
		},
	};
}

const toMessages = (batch: ReadonlyMap<string, ReadonlySet<string>>, from: string): readonly WorkMessage[] =>
	[...batch].flatMap(([workspace, runIds]) =>
		splitChange({ type: "runs", runIds: [...runIds] }).map((change) => ({ workspace, from, change })),
	);
