/** The texts of all messages are few; what a stranger makes many of is not remembered. */
const MOST_REMEMBERED = 64;
const LONGEST_REMEMBERED = 64;

interface Remembered {
	readonly bytes: Uint8Array;
	readonly text: string;
}

/**
 * Decodes UTF-8 and remembers short texts: names and values of headers are the same in most messages, and decoding them
 * would take as long as all else.
 */
export function createHeaderTextDecoder(): (bytes: Uint8Array) => string {
	const decoder = new TextDecoder();
	const remembered = new Map<number, Remembered>();

	return (bytes) => {
		if (bytes.length > LONGEST_REMEMBERED) return decoder.decode(bytes);
		const key = toKey(bytes);
		const known = remembered.get(key);
		if (known !== undefined && isSame(known.bytes, bytes)) return known.text;
		const text = decoder.decode(bytes);
		if (remembered.size < MOST_REMEMBERED) remembered.set(key, { bytes: bytes.slice(), text });
		return text;
	};
}

const toKey = (bytes: Uint8Array): number =>
	bytes.length * 65_536 + (bytes[1] ?? 0) * 256 + (bytes[bytes.length - 1] ?? 0);

function isSame(known: Uint8Array, bytes: Uint8Array): boolean {
	if (known.length !== bytes.length) return false;
	for (let at = 0; at < bytes.length; at++) if (known[at] !== bytes[at]) return false;
	return true;
}
