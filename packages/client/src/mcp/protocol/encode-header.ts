import { toBase64 } from "../base64";

/** UTF-8 in base64, marked as MCP has it for headers. Without `TextEncoder`: React Native may lack it. */
export function encodeHeader(text: string): string {
	// Halves of characters have no UTF-8.
	const escaped = encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd"));
	const bytes = Array.from(escaped.matchAll(/%(..)|./g), ([one, hex]) =>
		hex === undefined ? one.charCodeAt(0) : Number.parseInt(hex, 16),
	);
	return `=?base64?${toBase64(bytes)}?=`;
}
