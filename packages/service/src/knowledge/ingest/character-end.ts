/** Returns the number of leading bytes that end with a whole character of UTF-8: at most 3 fewer than there are. */
export function toCharacterEnd(bytes: Uint8Array): number {
	for (let back = 1; back <= 3; back += 1) {
		const byte = bytes[bytes.byteLength - back] ?? 0;
		if (isContinuation(byte)) continue;
		return countCharacterBytes(byte) > back ? bytes.byteLength - back : bytes.byteLength;
	}
	return bytes.byteLength;
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Number of bytes of a character by its first byte. */
function countCharacterBytes(first: number): number {
	if (first >= 0xf0) return 4;
	if (first >= 0xe0) return 3;
	return first >= 0xc0 ? 2 : 1;
}
