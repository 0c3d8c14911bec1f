const TABLE = Int32Array.from({ length: 256 }, (_, index) => {
	let value = index;
	for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 && 0xedb88320);
	return value;
});

/** The checksum of a part of some bytes, as gzip has it (ISO 3309). */
export function crc32(bytes: Uint8Array, start: number, end: number): number {
	let checksum = ~0;
	for (let at = start; at < end; at++)
		checksum = (checksum >>> 8) ^ (TABLE[(checksum ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
	return ~checksum >>> 0;
}
