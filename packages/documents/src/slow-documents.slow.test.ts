import { expect, it, vi } from "vitest";
import { readDocument } from "./read-document";

const read = (text: string, format: "markdown" | "html" = "markdown") =>
	readDocument({ bytes: Buffer.from(text), format, fileName: null, source: null });

function measureMs(text: string, format: "markdown" | "html"): number {
	const before = process.threadCpuUsage();
	try {
		read(text, format);
	} catch {
		// Ended early, or without text.
	}
	const { user, system } = process.threadCpuUsage(before);
	return (user + system) / 1_000;
}

vi.setConfig({ testTimeout: 60_000 });

const BYTES = 40_000;
/** Most took far longer. Ordinary text of this size takes a tenth of a second. */
const MAX_MS = 5_000;

const MARKDOWN = [
	"*a_",
	"a*",
	"**a__",
	"~a",
	"]",
	"](",
	"[^a]",
	"[a][b]",
	"[x] ",
	"*[a]_(b)",
	"**[",
	"> a\n\n",
	"a\n===\n\n",
	"a\n---\n\n",
	"- - ",
	"1. ",
	"> - ",
	">",
];

it.each(MARKDOWN)("Markdown of %j is read in time, or ended early", (token) => {
	expect(measureMs(token.repeat(BYTES / token.length), "markdown")).toBeLessThan(MAX_MS);
});

it.each(["<p><b id=N>", "<div>", "<b>", "<table><tr><td>", "<a><div>"])(
	"HTML of %j is read in time, or ended early",
	(token) => {
		let number = 0;
		const page = token.repeat(BYTES / token.length).replaceAll("N", () => String(number++));
		expect(measureMs(page, "html")).toBeLessThan(MAX_MS);
	},
);

it.each([
	["markdown", `${"> ".repeat(2_000)}a`],
	["markdown", `${"- ".repeat(2_000)}a`],
	["html", `${"<div>".repeat(20_000)}a`],
] as const)("%s that is nested too deeply says so", (format, text) => {
	expect(() => read(text, format)).toThrow(/nested too deeply/);
});

it("marks beyond the first of a very long paragraph are text, and other paragraphs keep theirs", () => {
	const { passages } = read(`${"*a* ".repeat(2_000)}\n\nAn *important* [link](https://example.com).`);
	const text = passages.map((passage) => passage.text).join("\n");
	expect(text).toContain("An important link.");
	expect(text.split("a").length).toBeGreaterThan(2_000);
});

it("reads the usual nesting", () => {
	const quote = `${"> ".repeat(20)}- deep`;
	expect(read(`${quote}\n\n1. a\n   - b\n     > c`).passages[0]?.text).toContain("deep");
});

it("copies no long heading into each passage", () => {
	const sections = Array.from({ length: 500 }, (_, number) => `### Part ${number}\n\nText.`);
	const { title, passages } = read(
		`# ${"t".repeat(20_000)}\n\n## ${"h".repeat(20_000)}\n\n${sections.join("\n\n")}`,
	);
	expect(title.length).toBeLessThan(500);
	expect(Math.max(...passages.map(({ heading }) => heading?.length ?? 0))).toBeLessThan(1_000);
});
