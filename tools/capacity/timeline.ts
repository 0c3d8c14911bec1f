/** What is to happen, in the order of its time. */
export interface Timeline {
	/** Milliseconds since the start. */
	readonly now: number;
	/** @param afterMs - from now. */
	add(afterMs: number, happen: () => void): void;
	/** Lets everything happen that is to, until a time. */
	runUntil(endMs: number): void;
}

interface Entry {
	readonly at: number;
	readonly happen: () => void;
}

export function createTimeline(): Timeline {
	/** The next one last. */
	const entries: Entry[] = [];
	let now = 0;
	/** Position before which all entries are later; of the same time, those that were added first happen first. */
	function findPosition(at: number): number {
		let low = 0;
		let high = entries.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((entries[middle]?.at ?? 0) > at) low = middle + 1;
			else high = middle;
		}
		return low;
	}
	return {
		get now() {
			return now;
		},
		add(afterMs, happen) {
			const at = now + afterMs;
			entries.splice(findPosition(at), 0, { at, happen });
		},
		runUntil(endMs) {
			for (let next = entries.at(-1); next !== undefined && next.at <= endMs; next = entries.at(-1)) {
				entries.pop();
				now = next.at;
				next.happen();
			}
			now = endMs;
		},
	};
}
