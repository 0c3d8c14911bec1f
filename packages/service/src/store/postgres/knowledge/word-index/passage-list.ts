import { RECORD_BYTES } from "../../tables/knowledge/word-block-tables";

/** Passages with a word, in any order, each once; the lists are side by side. */
export interface PassageList {
	readonly numbers: readonly number[];
	/** Number of all tokens of each passage. */
	readonly tokenCounts: readonly number[];
	/** Number of times that each passage has the word; those in its title count twice. */
	readonly frequencies: readonly number[];
}

/** List to which passages are added. */
export interface OpenPassageList extends PassageList {
	readonly numbers: number[];
	readonly tokenCounts: number[];
	readonly frequencies: number[];
}

export const createPassageList = (): OpenPassageList => ({ numbers: [], tokenCounts: [], frequencies: [] });

export const EMPTY_LIST: PassageList = createPassageList();

const MAX_UINT16 = 65_535;

/** Writes the record of a passage. */
export function writeRecord(
	view: DataView,
	offset: number,
	number: number,
	tokenCount: number,
	frequency: number,
): void {
	view.setUint32(offset, Math.floor(number / 2 ** 32));
	view.setUint32(offset + 4, number % 2 ** 32);
	view.setUint16(offset + 8, Math.min(MAX_UINT16, tokenCount));
	view.setUint16(offset + 10, Math.min(MAX_UINT16, frequency));
}

/** Adds the passages of records to a list, but those that are deleted. */
export function addRecords(list: OpenPassageList, bytes: Uint8Array, deleted: ReadonlySet<number>): void {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	for (let offset = 0; offset < bytes.byteLength; offset += RECORD_BYTES) {
		const number = view.getUint32(offset) * 2 ** 32 + view.getUint32(offset + 4);
		if (deleted.size > 0 && deleted.has(number)) continue;
		list.numbers.push(number);
		list.tokenCounts.push(view.getUint16(offset + 8));
		list.frequencies.push(view.getUint16(offset + 10));
	}
}

/** Merges what a list has of the same passage, which has several words: it has them as often as all together. */
export function mergeRepeated({ numbers, tokenCounts, frequencies }: PassageList): PassageList {
	const merged = createPassageList();
	const places = new Map<number, number>();
	for (const [index, number] of numbers.entries()) {
		const place = places.get(number);
		if (place !== undefined) {
			merged.frequencies[place] = (merged.frequencies[place] ?? 0) + (frequencies[index] ?? 0);
			continue;
		}
		places.set(number, merged.numbers.length);
		merged.numbers.push(number);
		merged.tokenCounts.push(tokenCounts[index] ?? 0);
		merged.frequencies.push(frequencies[index] ?? 0);
	}
	return merged;
}
