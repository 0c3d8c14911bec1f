const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** UTF-8 in base64, marked as MCP has it for headers. Without `btoa` and `TextEncoder`: React Native may lack them. */
export function encodeHeader(text: string): string {
	// Halves of characters have no UTF-8.
	const escaped = encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd"));
	const bytes = Array.from(escaped.matchAll(/%(..)|./g), ([one, hex]) =>
		hex === undefined ? one.charCodeAt(0) : Number.parseInt(hex, 16),
	);
	let encoded = "";
	for (let at = 0; at < bytes.length; at += 3) {
		const [first = 0, second, third] = bytes.slice(at, at + 3);
		const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
		encoded += DIGITS[bits >> 18];
		encoded += DIGITS[(bits >> 12) & 63];
		encoded += second === undefined ? "=" : DIGITS[(bits >> 6) & 63];
		encoded += third === undefined ? "=" : DIGITS[bits & 63];
	}
	return `=?base64?${encoded}?=`;
}
