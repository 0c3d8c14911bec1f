import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { createProgressBar } from "./progress-bar";

/** What a terminal of that width gets, colours taken off, a line each redraw. */
function draw(columns: number, isTTY = true, label = "a/long/path/to/some/file.md"): string[] {
	const stderr = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY, columns });
	const bar = createProgressBar({ stderr: stderr as unknown as NodeJS.WriteStream }, "Reading");
	for (const done of [0, 5, 10]) bar.update(done, 10, label);
	bar.clear();
	return stripVTControlCharacters(stderr.read() ?? "")
		.split("\r")
		.slice(1);
}

describe("createProgressBar", () => {
	it("fills up, shows the end of the path, and wipes itself", () => {
		const lines = draw(80);
		expect(lines[0]).toMatch(/^Reading ░{24} 0\/10 /);
		expect(lines.at(-2)).toMatch(/^Reading █{24} 10\/10 .*file\.md$/);
		expect(lines.at(-1)).toBe("");
	});

	it.each([80, 40, 30, 20])("never wraps in %i columns", (columns) => {
		for (const line of draw(columns)) expect([...line.trimEnd()].length).toBeLessThanOrEqual(columns);
	});

	it("takes controls out of the path", () => {
		expect(draw(80, true, "a\u0007\r\n\u009B2J.md").at(-2)).toMatch(/10\/10 a 2J\.md$/);
	});

	it("writes nothing where no person looks on", () => {
		expect(draw(80, false)).toEqual([]);
	});
});
