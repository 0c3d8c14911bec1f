import { expect, it } from "vitest";
import { describePlace } from "./describe-place";

const box = (page: number) => ({ page, x: 0, y: 0, width: 1, height: 1 });

it.each([
	[{ page: 3, boxes: [box(3)] }, "page 3"],
	[{ page: 3, boxes: [box(3), box(4)] }, "pages 3-4"],
	[{ sheet: "Fees", cells: "A1:C9" }, "sheet Fees, cells A1:C9"],
	[{ cells: "A1:C9" }, "cells A1:C9"],
	[{ slide: 4, heading: "Prices" }, "slide 4"],
	[{ chapter: "text/ch1.xhtml" }, "chapter text/ch1.xhtml"],
	[{ part: "body" }, ""],
	[{ part: "quoted" }, "quoted message"],
	[{ part: "offer.pdf" }, "attachment offer.pdf"],
	[{ heading: "Leave" }, ""],
])("describes %j", (place, text) => {
	expect(describePlace({ ...place, start: 0, end: 1 })).toBe(text);
});
