import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../sources/list-files.ts";
import { listTests } from "../sources/list-tests.ts";
import { parseSource } from "../sources/source-file.ts";

const SECTIONS = [
	"Model settings",
	"Resolution",
	"Stages and payers",
	"Credentials",
	"Ambient credentials",
	"Runtime",
	"Client",
	"Platforms",
];

interface Row {
	readonly line: string;
	readonly path: string;
	readonly title: string;
}

/** Sections of the page with their rows; a row whose test cannot be read has no path. */
function readSections(text: string): Map<string, Row[]> {
	const sections = text.split(/^## /m).slice(1);
	return new Map(
		sections.map((section): [string, Row[]] => {
			const [name = "", ...lines] = section.split("\n");
			const rows = lines.filter((line) => /^\| (?!promise \|)/.test(line)).map(readRow);
			return [name, rows];
		}),
	);
}

function readRow(line: string): Row {
	const [, path = "", title = ""] = /\| `([^`]+)`: (.+) \|$/.exec(line) ?? [];
	return { line, path, title };
}

/** Problem of a row, if it has one. */
function findProblem(
	{ line, path, title }: Row,
	read: (path: string) => string | undefined,
): string | undefined {
	if (path === "") return `${line} names no test`;
	const code = read(path);
	if (code === undefined) return `${path} is not there: ${title}`;
	return listTests(parseSource(path, code)).includes(title) ? undefined : `${path} has no test "${title}"`;
}

describe("docs/mission.md", () => {
	const sections = readSections(readFileSync(join(root, "docs/mission.md"), "utf8"));
	const read = (path: string): string | undefined =>
		existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;

	it("has promises of every part", () => {
		expect([...sections.keys()]).toEqual(SECTIONS);
		for (const rows of sections.values()) expect(rows.length).toBeGreaterThanOrEqual(8);
	});

	it.each(SECTIONS)("names tests that there are: %s", (name) => {
		const rows = sections.get(name) ?? [];
		expect(rows.map((row) => findProblem(row, read)).filter((problem) => problem !== undefined)).toEqual([]);
	});
});

describe("this guard", () => {
	const code = `
		describe("a token", () => {
			it("is revoked", () => undefined);
			it.each([1, 2])("refuses %i", () => undefined);
			it(\`lasts \${DAYS} days\`, () => undefined);
			describe.skipIf(isSlow)("that is old", () => test.concurrent.for(CASES)("ends: $name", () => {}));
			it(title, () => undefined);
			commit("is no test");
		});
		test("alone", () => undefined);
		// it("is a comment", () => undefined);
	`;
	const find = (cell: string, path = "a.test.ts"): string | undefined =>
		findProblem(readRow(`| A promise | \`GET /a\` | \`${path}\`: ${cell} |`), (file) =>
			file === "a.test.ts" ? code : undefined,
		);

	it("reads titles as they are written, after those of the blocks around them", () => {
		expect(listTests(parseSource("a.test.ts", code))).toEqual([
			"a token > is revoked",
			"a token > refuses %i",
			"a token > lasts … days",
			"a token > that is old > ends: $name",
			"alone",
		]);
	});

	it.each(["a token > is revoked", "a token > lasts … days", "alone"])("takes %s", (title) => {
		expect(find(title)).toBeUndefined();
	});

	it.each(["is revoked", "a token > is revoked twice", "a token", "is a comment", "a token > is no test"])(
		"misses %s",
		(title) => {
			expect(find(title)).toBe(`a.test.ts has no test "${title}"`);
		},
	);

	it("misses a file that is gone, and a row without a test", () => {
		expect(find("alone", "b.test.ts")).toBe("b.test.ts is not there: alone");
		const line = "| A promise | `GET /a` | |";
		expect(findProblem(readRow(line), () => code)).toBe(`${line} names no test`);
	});
});
