import { nestingError, UnreadableError } from "../unreadable-error";

/** Value of a file of data, whatever its format. */
export type DataNode = DataScalar | DataRecord | DataList;

export interface DataScalar {
	readonly kind: "scalar";
	/** Text of the value as it is written in the file; never empty. */
	readonly text: string;
	/** Length of its text with all that is in it, in characters. */
	readonly size: number;
	readonly hasTable: false;
}

/** Values by their keys, in the order of the file. The key is empty for the text of an element that has attributes, too. */
export interface DataRecord {
	readonly kind: "record";
	readonly entries: readonly (readonly [key: string, value: DataNode])[];
	readonly size: number;
	/** Has a list of records in it. */
	readonly hasTable: boolean;
}

export interface DataList {
	readonly kind: "list";
	readonly items: readonly DataNode[];
	readonly size: number;
	readonly hasTable: boolean;
}

/** Maximum number of values of one document: more take more memory than one document is given. */
const MAX_VALUES = 500_000;
/** Maximum depth of values in values. */
const MAX_DATA_DEPTH = 100;
const MAX_SHOWN_KEY_CHARACTERS = 100;

/** Makes the nodes of one document. Empty values are left out. */
export interface DataBuilder {
	scalar(text: string): DataScalar | undefined;
	/** @throws UnreadableError beyond the limits, as the others do. */
	record(entries: Iterable<readonly [key: string, value: DataNode | undefined]>): DataRecord | undefined;
	list(items: Iterable<DataNode | undefined>): DataList | undefined;
	/** Makes what is in a value, one level deeper. */
	nest<Result>(make: () => Result): Result;
}

export function createDataBuilder(): DataBuilder {
	let count = 0;
	let depth = 0;
	const add = <Node extends DataNode>(node: Node): Node => {
		count += 1;
		if (count <= MAX_VALUES) return node;
		throw new UnreadableError(`it has more than ${MAX_VALUES.toLocaleString("en-US")} values`, {
			code: "too_complex",
		});
	};
	return {
		scalar(text) {
			const trimmed = text.trim();
			return trimmed === ""
				? undefined
				: add({ kind: "scalar", text: trimmed, size: trimmed.length, hasTable: false });
		},
		record(entries) {
			const filled = [...entries].flatMap(([key, value]) =>
				value === undefined ? [] : [[shortenKey(key), value] as const],
			);
			const size = filled.reduce((sum, [key, value]) => sum + key.length + value.size + 2, 0);
			const hasTable = filled.some(([, value]) => value.hasTable);
			return filled.length === 0 ? undefined : add({ kind: "record", entries: filled, size, hasTable });
		},
		list(items) {
			const filled = [...items].flatMap((item) => item ?? []);
			const size = filled.reduce((sum, item) => sum + item.size + 2, 0);
			const records = filled.filter(({ kind }) => kind === "record");
			const hasTable = records.length > 1 || filled.some((item) => item.hasTable);
			return filled.length === 0 ? undefined : add({ kind: "list", items: filled, size, hasTable });
		},
		nest(make) {
			depth += 1;
			if (depth > MAX_DATA_DEPTH) throw nestingError("values");
			const made = make();
			depth -= 1;
			return made;
		},
	};
}

function shortenKey(key: string): string {
	const name = key.replace(/\s+/gu, " ").trim();
	return name.length <= MAX_SHOWN_KEY_CHARACTERS ? name : `${name.slice(0, MAX_SHOWN_KEY_CHARACTERS)}…`;
}
