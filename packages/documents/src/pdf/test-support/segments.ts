import type { TextSegment } from "../layout/text-segments";

/** Segment of Helvetica-like text: each character is half as wide as the font is large. */
export function segment(text: string, x: number, y: number, facts: Partial<TextSegment> = {}): TextSegment {
	const fontSize = facts.fontSize ?? 10;
	const size = { width: text.length * fontSize * 0.5, height: fontSize };
	return { text, x, y, ...size, fontSize, isBold: false, isMonospaced: false, page: 1, angle: 0, ...facts };
}
