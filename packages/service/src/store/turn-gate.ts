import type { ConnectionGate } from "./thread-dialect";

/** One at a time, in the order in which they came. */
export function createTurnGate(): ConnectionGate {
	const queue: (() => void)[] = [];
	let isTaken = false;
	return {
		enter() {
			if (isTaken) return new Promise((resolve) => queue.push(resolve));
			isTaken = true;
			return Promise.resolve();
		},
		leave() {
			const next = queue.shift();
			if (next === undefined) isTaken = false;
			else next();
		},
	};
}

/** Everyone at once. */
export const openGate: ConnectionGate = { enter: () => Promise.resolve(), leave: () => undefined };
