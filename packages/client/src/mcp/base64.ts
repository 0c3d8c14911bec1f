const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Bytes as base64 with padding (RFC 4648, section 4). Without `btoa`: React Native may lack it. */
export function toBase64(bytes: ArrayLike<number>): string {
	let encoded = "";
	for (let offset = 0; offset < bytes.length; offset += 3) {
		const second = bytes[offset + 1];
		const third = bytes[offset + 2];
		const bits = ((bytes[offset] ?? 0) << 16) | ((second ?? 0) << 8) | (third ?? 0);
		encoded += DIGITS[bits >> 18];
		encoded += DIGITS[(bits >> 12) & 63];
		encoded += second === undefined ? "=" : DIGITS[(bits >> 6) & 63];
		encoded += third === undefined ? "=" : DIGITS[bits & 63];
	}
	return encoded;
}
