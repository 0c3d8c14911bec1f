/** Chance that can be had again: the same seed gives the same numbers. */
export interface Random {
	/** 0 to 1, without 1. */
	next(): number;
	/** A whole number from `from` to `to`, both included. */
	between(from: number, to: number): number;
	pick<Item>(items: readonly Item[]): Item | undefined;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	function next(): number {
		state = (state + 0x6d2b79f5) >>> 0;
		let bits = Math.imul(state ^ (state >>> 15), state | 1);
		bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
		return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
	}
	return {
		next,
		between: (from, to) => from + Math.floor(next() * (to - from + 1)),
		pick: (items) => items[Math.floor(next() * items.length)],
	};
}
