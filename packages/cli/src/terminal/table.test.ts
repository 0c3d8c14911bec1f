import { expect, it } from "vitest";
import { formatTable } from "./table";

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
