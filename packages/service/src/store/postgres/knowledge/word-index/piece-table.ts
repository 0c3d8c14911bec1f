import { randomInt } from "node:crypto";

/** Maximum share of its slots that are taken: beyond it, searches would go past many. */
const MAX_FILL = 0.5;
const FIRST_SLOTS = 1_024;
const FIRST_CODE_UNITS = 8 * FIRST_SLOTS;

/** Values by pieces of texts: a `Map` whose keys need not be cut out of their texts, which takes most of the time. */
export interface PieceTable<Value> {
	readonly size: number;
	/** Finds the value of the piece of a text from its start to before its end. @param hash - of its code units. */
	find(text: string, start: number, end: number, hash: number): Value | undefined;
	/** Adds a piece that it does not have. @param hash - of its code units. */
	add(piece: string, hash: number, value: Value): void;
}

/** Factor of hashes, odd and of this process alone: nobody can write a text whose pieces all have the same hash. */
const FACTOR = 2 * randomInt(2 ** 30, 2 ** 31) + 1;

/** Adds a code unit to the hash of those before it, which begins as 0. */
export function addToHash(hash: number, codeUnit: number): number {
	const product = Math.imul(hash ^ codeUnit, FACTOR);
	// A sum of products alone would have the same hash for many, whatever the factor.
	return product ^ (product >>> 15);
}

/** Computes the hash of a whole piece. */
export function toHash(piece: string): number {
	let hash = 0;
	for (let at = 0; at < piece.length; at++) hash = addToHash(hash, piece.charCodeAt(at));
	return hash;
}

/** Creates a table without pieces. */
export function createPieceTable<Value>(): PieceTable<Value> {
	const values: Value[] = [];
	const hashes: number[] = [];
	/** Places in `codeUnits` where pieces begin, and behind the last one, where the next one will. */
	const starts: number[] = [0];
	let codeUnits = new Uint16Array(FIRST_CODE_UNITS);
	/** Places of pieces, counted from 1; 0 in those that are free. */
	let slots = new Int32Array(FIRST_SLOTS);

	function isAt(place: number, text: string, start: number, end: number): boolean {
		const from = starts[place] ?? 0;
		if ((starts[place + 1] ?? 0) - from !== end - start) return false;
		for (let at = start; at < end; at++)
			if (text.charCodeAt(at) !== codeUnits[from + at - start]) return false;
		return true;
	}

	function takeSlot(hash: number, place: number): void {
		const mask = slots.length - 1;
		let slot = hash & mask;
		while (slots[slot] !== 0) slot = (slot + 1) & mask;
		slots[slot] = place + 1;
	}

	function makeRoom(added: number): void {
		const end = starts.at(-1) ?? 0;
		if (end + added > codeUnits.length) {
			const longer = new Uint16Array(2 * (end + added));
			longer.set(codeUnits);
			codeUnits = longer;
		}
		if (values.length < slots.length * MAX_FILL) return;
		slots = new Int32Array(2 * slots.length);
		for (const [place, hash] of hashes.entries()) takeSlot(hash, place);
	}

	return {
		get size() {
			return values.length;
		},
		find(text, start, end, hash) {
			const mask = slots.length - 1;
			for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
				const place = (slots[slot] ?? 0) - 1;
				if (place === -1) return undefined;
				if (hashes[place] === hash && isAt(place, text, start, end)) return values[place];
			}
		},
		add(piece, hash, value) {
			makeRoom(piece.length);
			const from = starts.at(-1) ?? 0;
			for (let at = 0; at < piece.length; at++) codeUnits[from + at] = piece.charCodeAt(at);
			starts.push(from + piece.length);
			hashes.push(hash);
			takeSlot(hash, values.push(value) - 1);
		},
	};
}
