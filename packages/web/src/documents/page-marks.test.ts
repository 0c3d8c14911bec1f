import { expect, it } from "vitest";
import { toFirstPage, toMarkStyles } from "./page-marks";

const A4 = { width: 600, height: 800 };
const box = { page: 2, x: 61.5, y: 81.5, width: 297, height: 37 };

it("marks the boxes of a page, in parts of it", () => {
	expect(toMarkStyles([box, { ...box, page: 3 }], 2, A4)).toEqual([
		{ left: "10.000%", top: "10.000%", width: "50.000%", height: "5.000%" },
	]);
});

it("marks nothing that reaches beyond the page", () => {
	const beyond = [
		{ ...box, x: 500 },
		{ ...box, y: 790 },
		{ ...box, x: -20 },
	];
	expect(toMarkStyles(beyond, 2, A4)).toEqual([]);
});

it("shows the page of the first box first", () => {
	expect(toFirstPage({ page: 1, boxes: [box] })).toBe(2);
	expect(toFirstPage({ page: 4 })).toBe(4);
	expect(toFirstPage({})).toBe(1);
});
