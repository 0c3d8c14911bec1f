import { expect, it } from "vitest";
import { crc32 } from "./crc32";

/** The check value of the catalogue of CRC algorithms (CRC-32/ISO-HDLC), and others that are widely known. */
it.each([
	["", 0],
	["123456789", 0xcbf43926],
	["The quick brown fox jumps over the lazy dog", 0x414fa339],
])("the checksum of %j", (text, checksum) => {
	const bytes = new TextEncoder().encode(`<${text}>`);
	expect(crc32(bytes, 1, bytes.length - 1)).toBe(checksum);
});
