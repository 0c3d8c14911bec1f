import { expect, it } from "vitest";
import { formatNotedTable, formatTable } from "./table";

it("sets columns below one another and leaves no blanks at the end", () => {
	const rows = [
		["id", "name"],
		["cl_1", "a"],
		["c", ""],
	];
	expect(formatTable(rows)).toBe("  id    name\n  cl_1  a\n  c\n");
});

it("makes nothing of nothing", () => {
	expect(formatTable([])).toBe("");
});

it("sets a note below each row", () => {
	const rows = [
		["STAGE", "MODEL"],
		["answer", "a"],
		["index", "bc"],
	];
	expect(formatNotedTable(rows, ["One.", "Two, which is long."])).toBe(
		"  STAGE   MODEL\n  answer  a\n          One.\n  index   bc\n          Two, which is long.\n",
	);
});

it("has no line for an empty note", () => {
	expect(
		formatNotedTable(
			[
				["STATUS", "ID"],
				["ready", "a"],
				["failed", "b"],
			],
			["", "Why."],
		),
	).toBe("  STATUS  ID\n  ready   a\n  failed  b\n          Why.\n");
});
