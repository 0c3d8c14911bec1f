/** Number of the type `real` (`pg_type.oid`). */
const FLOAT4 = 700;
const HEADER_BYTES = 20;
const ELEMENT_BYTES = 8;
/** Bytes of a number, which stand in front of each. */
const FLOAT4_BYTES = 4;

/**
 * Encodes numbers as a `real[]` of one dimension in Postgres's binary format, in which parameters that are buffers are sent:
 * as text, vectors would take most of the time of storing them.
 *
 * @param parts - numbers of the array, behind each other.
 * @see `array_send` of Postgres
 */
export function toRealArray(parts: readonly Float32Array[]): Buffer {
	const count = parts.reduce((sum, { length }) => sum + length, 0);
	const buffer = Buffer.allocUnsafe(HEADER_BYTES + count * ELEMENT_BYTES);
	const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
	const [dimensions, hasNulls, lowerBound] = [1, 0, 1];
	[dimensions, hasNulls, FLOAT4, count, lowerBound].forEach((value, index) => {
		view.setInt32(4 * index, value);
	});
	let offset = HEADER_BYTES;
	for (const part of parts)
		for (const value of part) {
			view.setInt32(offset, FLOAT4_BYTES);
			view.setFloat32(offset + FLOAT4_BYTES, value);
			offset += ELEMENT_BYTES;
		}
	return buffer;
}
