import { expect, it } from "vitest";
import { toCsv } from "./csv";

it("writes a table as CSV, with quotes where they are needed", () => {
	const csv = toCsv(
		["name", "tokens"],
		[
			["plain", 5],
			['a "b", c', 0],
			["two\nlines", -3],
		],
	);
	expect(csv).toBe('name,tokens\r\nplain,5\r\n"a ""b"", c",0\r\n"two\nlines",-3\r\n');
});

it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])("takes %j as text, and not as a formula", (text) => {
	expect(toCsv(["name"], [[text]])).toBe(`name\r\n'${text}\r\n`);
});
