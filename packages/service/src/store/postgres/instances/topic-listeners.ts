import type { InstanceBus } from "../../claims/instance-bus";

/** Listeners to the messages of instances, by topic. */
export interface TopicListeners extends Omit<InstanceBus, "publish"> {
	/** Hands the text of a message to the listeners of its topic. */
	emit(text: string): void;
	emitMissed(): void;
}

type Listener = (payload: unknown) => void;

/** Message as it is sent: instances write it, so it is not checked again. */
interface InstanceMessage {
	readonly topic: string;
	readonly payload: unknown;
}

export function createTopicListeners(): TopicListeners {
	const topics = new Map<string, Set<Listener>>();
	const missed = new Set<() => void>();
	return {
		subscribe(topic, listener) {
			const listeners = topics.get(topic) ?? new Set();
			topics.set(topic, listeners.add(listener));
			return () => void listeners.delete(listener);
		},
		onMissed(listener) {
			missed.add(listener);
			return () => void missed.delete(listener);
		},
		emit(text) {
			const { topic, payload } = JSON.parse(text) as InstanceMessage;
			for (const listener of [...(topics.get(topic) ?? [])]) listener(payload);
		},
		emitMissed() {
			for (const listener of [...missed]) listener();
		},
	};
}
