import type { RawItem } from "./pdf-items";

type Corners = readonly [left: number, lower: number, right: number, upper: number];

const FONT_SIZE = 10;
const LINE_HEIGHT = 1.2;

/** Items of the text that was filled into the fields of a form; hidden and secret fields are left out. */
export function toFieldItems(annotations: readonly object[]): RawItem[] {
	return annotations.flatMap((annotation) => {
		const { fieldType, fieldValue, rect, hidden, password }: Partial<Record<string, unknown>> = {
			...annotation,
		};
		if (hidden === true || password === true || (fieldType !== "Tx" && fieldType !== "Ch")) return [];
		const value = [fieldValue]
			.flat()
			.filter((one) => typeof one === "string")
			.join(", ");
		return value.trim() === "" || !isCorners(rect) ? [] : toItems(value, rect);
	});
}

const isCorners = (rect: unknown): rect is Corners =>
	Array.isArray(rect) && rect.length === 4 && rect.every((corner) => typeof corner === "number");

function toItems(value: string, [left, lower, right, upper]: Corners): RawItem[] {
	const lines = value.split(/\r\n?|\n/u);
	const size = Math.min(FONT_SIZE, (upper - lower) / (lines.length * LINE_HEIGHT));
	const top = (upper + lower) / 2 + (lines.length * size * LINE_HEIGHT) / 2;
	return lines.map((str, index) => ({
		str,
		dir: "ltr",
		width: Math.min(right - left, str.length * size * 0.5),
		height: size,
		transform: [size, 0, 0, size, left, top - size - index * size * LINE_HEIGHT],
		fontName: "",
	}));
}
