import { expect, it } from "vitest";
import { toDirections } from "../pdf-items";
import { turnBack } from "../turn-text";
import type { TextItem } from "./page-text";
import { toSegments } from "./text-segments";

const item = (text: string, x: number, facts: Partial<TextItem> = {}): TextItem => ({
	text,
	x,
	y: 100,
	width: text.length * 5,
	height: 10,
	fontSize: 10,
	isBold: false,
	isMonospaced: false,
	isRightToLeft: false,
	...facts,
});

const texts = (...items: readonly TextItem[]): string[] => toSegments(items, 1, 0).map(({ text }) => text);

it("joins items by their places, in whatever order they are drawn", () => {
	expect(texts(item("world", 82), item("Hel", 50), item("lo", 65), item("far away", 200))).toEqual([
		"Hello",
		"world",
		"far away",
	]);
});

it("puts blanks where there are gaps", () => {
	expect(texts(item("Hello", 50), item("world", 78))).toEqual(["Hello world"]);
});

it("joins marks above the line, and leaves what is drawn twice", () => {
	expect(texts(item("practice", 50), item("2", 90, { y: 98, height: 6, fontSize: 6, width: 3 }))).toEqual([
		"practice2",
	]);
	expect(texts(item("bold", 50), item("bold", 50.3))).toEqual(["bold"]);
});

it("reads from right to left where the text does", () => {
	const rtl = { isRightToLeft: true };
	expect(texts(item("עולם", 50, rtl), item("שלום", 73, rtl))).toEqual(["שלום עולם"]);
});

const raw = (str: string, transform: readonly number[]) => ({
	str,
	dir: "ltr",
	width: 20,
	height: 10,
	transform,
	fontName: "f",
});
const viewport = { width: 600, height: 800, transform: [1, 0, 0, -1, 0, 800] };

it("sorts text by its directions, and gives boxes on the page as shown", () => {
	const directions = toDirections(
		[
			raw("up", [0, 10, -10, 0, 20, 300]),
			raw("one", [10, 0, 0, 10, 50, 700]),
			raw("two", [10, 0, 0, 10, 90, 700]),
		],
		new Map(),
		viewport,
	);
	expect(directions.map(({ angle, items }) => [angle, ...items.map(({ text }) => text)])).toEqual([
		[0, "one", "two"],
		[270, "up"],
	]);
	const [, up] = directions;
	const [turned] = up?.items ?? [];
	expect(turned && turnBack(270, turned)).toEqual({ x: 12, y: 480, width: 10, height: 20 });
	expect(directions[0]?.items[0]).toMatchObject({ x: 50, y: 92, width: 20, height: 10 });
});

it("leaves out what is beyond the page, and mends ligatures, bullets and hidden characters", () => {
	const at = [10, 0, 0, 10, 50, 700];
	const [direction] = toDirections(
		[
			raw("of\uFB01ce", at),
			raw("\uF0B7", at),
			raw("a\u0000b\u200B", at),
			raw("cut", [10, 0, 0, 10, 50, 900]),
		],
		new Map(),
		viewport,
	);
	expect(direction?.items.map(({ text }) => text)).toEqual(["office", "•", "ab"]);
});
