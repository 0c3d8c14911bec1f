/** Types of elements, as Postgres names them, with their numbers (`pg_type.oid`). */
const ELEMENT_TYPES = { bigint: 20, bytea: 17, integer: 23, text: 25 } as const;

/** Type of the elements of an array. */
export type ElementType = keyof typeof ELEMENT_TYPES;

const HEADER_BYTES = 20;
/** Bytes of the size of an element, which stands in front of each. */
const SIZE_BYTES = 4;
const NULL_SIZE = -1;

const NUL = "\u0000";
const REPLACEMENT = "\ufffd";

/**
 * Encodes values as an array of one dimension in Postgres's binary format, in which parameters that are buffers are sent: as
 * text, each element would be quoted here and parsed there, and bytes would take twice their size. NUL characters of
 * text become U+FFFD, as in other parameters.
 *
 * @see `array_send` of Postgres
 */
export function toBinaryArray(type: ElementType, values: readonly unknown[]): Buffer {
	const elements = type === "text" ? values.map(toStorableText) : values;
	const sizes = elements.map((element) => sizeOf(type, element));
	const bytes = sizes.reduce((sum, size) => sum + SIZE_BYTES + Math.max(0, size), HEADER_BYTES);
	const buffer = Buffer.allocUnsafe(bytes);
	const [dimensions, hasNulls, lowerBound] = [1, sizes.includes(NULL_SIZE) ? 1 : 0, 1];
	let offset = 0;
	for (const field of [dimensions, hasNulls, ELEMENT_TYPES[type], elements.length, lowerBound])
		offset = buffer.writeInt32BE(field, offset);
	for (const [index, element] of elements.entries()) {
		const size = sizes[index] ?? NULL_SIZE;
		offset = buffer.writeInt32BE(size, offset);
		if (size === NULL_SIZE) continue;
		writeElement(buffer, offset, type, element);
		offset += size;
	}
	return buffer;
}

const toStorableText = (value: unknown): unknown =>
	typeof value === "string" && value.includes(NUL) ? value.replaceAll(NUL, REPLACEMENT) : value;

function sizeOf(type: ElementType, element: unknown): number {
	if (element === null || element === undefined) return NULL_SIZE;
	if (type === "integer") return 4;
	if (type === "bigint") return 8;
	return element instanceof Uint8Array ? element.byteLength : Buffer.byteLength(String(element));
}

function writeElement(buffer: Buffer, offset: number, type: ElementType, element: unknown): void {
	if (type === "integer") buffer.writeInt32BE(Number(element), offset);
	else if (type === "bigint") writeBigint(buffer, offset, Number(element));
	else if (element instanceof Uint8Array) buffer.set(element, offset);
	else buffer.write(String(element), offset);
}

/** Writes an integer that a JavaScript number holds exactly. */
function writeBigint(buffer: Buffer, offset: number, value: number): void {
	buffer.writeInt32BE(Math.floor(value / 2 ** 32), offset);
	// The lower 32 bits, of negative numbers too.
	buffer.writeUInt32BE(value >>> 0, offset + 4);
}
