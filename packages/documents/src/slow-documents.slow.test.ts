import { expect, it } from "vitest";
import { readDocument } from "./read-document";

const read = (text: string, format: "markdown" | "html" = "markdown") =>
	readDocument({ bytes: Buffer.from(text), format, fileName: null, source: null });

async function measureMs(text: string, format: "markdown" | "html"): Promise<number> {
	const before = process.threadCpuUsage();
	try {
		await read(text, format);
	} catch {
		// Ended early, or without text.
	}
	const { user, system } = process.threadCpuUsage(before);
	return (user + system) / 1_000;
}

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

it.each(MARKDOWN)("Markdown of %j is read in time, or ended early", async (token) => {
	expect(await measureMs(token.repeat(BYTES / token.length), "markdown")).toBeLessThan(MAX_MS);
});

it.each(["<p><b id=N>", "<div>", "<b>", "<table><tr><td>", "<a><div>"])(
	"HTML of %j is read in time, or ended early",
	async (token) => {
		let number = 0;
		const page = token.repeat(BYTES / token.length).replaceAll("N", () => String(number++));
		expect(await measureMs(page, "html")).toBeLessThan(MAX_MS);
	},
);

it.each([
	["markdown", `${"> ".repeat(2_000)}a`],
	["markdown", `${"- ".repeat(2_000)}a`],
	["html", `${"<div>".repeat(20_000)}a`],
] as const)("%s that is nested too deeply says so", async (format, text) => {
	await expect(read(text, format)).rejects.toThrow(/nested too deeply/);
});

it("marks beyond the first of a very long paragraph are text, and other paragraphs keep theirs", async () => {
	const { passages } = await read(`${"*a* ".repeat(2_000)}\n\nAn *important* [link](https://example.com).`);
	const text = passages.map((passage) => passage.text).join("\n");
	expect(text).toContain("An important link.");
	expect(text.split("a").length).toBeGreaterThan(2_000);
});

it("reads the usual nesting", async () => {
	const quote = `${"> ".repeat(20)}- deep`;
	const { passages } = await read(`${quote}\n\n1. a\n   - b\n     > c`);
	expect(passages[0]?.text).toContain("deep");
});

it("copies no long heading into each passage", async () => {
	const sections = Array.from({ length: 500 }, (_, number) => `### Part ${number}\n\nText.`);
	const { title, passages } = await read(
		`# ${"t".repeat(20_000)}\n\n## ${"h".repeat(20_000)}\n\n${sections.join("\n\n")}`,
	);
	expect(title.length).toBeLessThan(500);
	expect(Math.max(...passages.map(({ place }) => place.heading?.length ?? 0))).toBeLessThan(1_000);
});
