import { expect, it } from "vitest";
import { createTextTemplate } from "./text-template";

it.each(["", "word", 'a "quote"', "lines\r\nand \u2028", "\ud800", "text_1 $& \\"])(
	"writes what JSON.stringify writes: %j",
	(text) => {
		const toObject = (part: string) => ({
			id: 'has "text" and $&',
			deltas: [{ part, index: 0 }],
			last: null,
		});
		expect(createTextTemplate(toObject)(text)).toBe(JSON.stringify(toObject(text)));
	},
);
