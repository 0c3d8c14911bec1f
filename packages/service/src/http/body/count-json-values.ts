const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LEFT_BRACKET = 0x5b;
const LEFT_BRACE = 0x7b;

/**
 * True where JSON has more values than so many, told from its bytes: parsed, a text of `{},{},…` takes 20 times the memory.
 * A text with few more may pass; no text with fewer is refused.
 */
export function hasMoreJsonValues(bytes: Uint8Array, maxValues: number): boolean {
	// Each value but the outermost follows a comma or an opening bracket.
	const max = 2 * maxValues + 1;
	if (bytes.byteLength <= max) return false;
	let count = 0;
	for (let index = 0; index < bytes.byteLength; index++) {
		const byte = bytes[index];
		if (byte === QUOTE) index = findStringEnd(bytes, index);
		else if (byte === COMMA || byte === LEFT_BRACKET || byte === LEFT_BRACE) {
			count += 1;
			if (count > max) return true;
		}
	}
	return false;
}

/** @returns the index of the closing quote, or the end of what has none. */
function findStringEnd(bytes: Uint8Array, start: number): number {
	for (let from = start + 1; ; ) {
		const end = bytes.indexOf(QUOTE, from);
		if (end === -1) return bytes.byteLength;
		let backslashes = 0;
		while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
		if (backslashes % 2 === 0) return end;
		from = end + 1;
	}
}
