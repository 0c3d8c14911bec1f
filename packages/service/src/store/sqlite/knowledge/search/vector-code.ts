const CODE_WORD_BITS = 64;

/**
 * A vector of length 1, so that huge numbers cannot overflow where vectors are compared. A vector of zeros stays one:
 * it is like no other.
 */
export function normalize(vector: Float32Array): Float32Array {
	let sum = 0;
	for (const value of vector) sum += value * value;
	return sum === 0 ? vector : vector.map((value) => value / Math.sqrt(sum));
}

/** A bit for each number, set where it is above zero, in whole words. Vectors that are alike differ in few bits. */
export function toVectorCode(vector: Float32Array): Uint8Array {
	const code = new Uint8Array(toCodeBytes(vector.length));
	vector.forEach((value, index) => {
		if (value > 0) code[index >> 3] = (code[index >> 3] ?? 0) | (1 << (index & 7));
	});
	return code;
}

/** Returns the length of a vector's code in bytes. */
export const toCodeBytes = (length: number): number =>
	(Math.ceil(length / CODE_WORD_BITS) * CODE_WORD_BITS) / 8;

/** The numbers of a vector as SQLite keeps them: 32 bits each, the lowest byte first. */
export const toVectorBytes = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
	new Uint8Array(buffer, byteOffset, byteLength);
