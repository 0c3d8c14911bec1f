import { Agent } from "node:http";
import type { Attack } from "../attacker/attack.ts";
import type { Hostile } from "../attacker/hostile.ts";

const KILOBYTE = 1024;
const MEBIBYTE = 1024 * KILOBYTE;

/** Quotas, shares and sizes that uploads are refused by. */
const REFUSED = [
	"413 body_too_large",
	"422 *",
	"400 invalid_request",
	"400 invalid_json",
	"400 unknown_field",
	"408 request_timeout",
	"429 *",
	"503 *",
	// The pieces of large uploads take turns: those of a flood may take longer than their client waits.
	"broken timeout",
];

export const BOUNDARY = "----boundary";

/** Path of the documents of the hostile tenant's knowledge base. */
export const pathOf = ({ knowledgeBase }: Hostile): string =>
	`/v1/knowledge-bases/${knowledgeBase}/documents`;

/** A form with one file; its parts before that are given. */
export const toForm = (content: string, fileName = "page.md", before = ""): string =>
	`${before}--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`;

export const FORM = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };

const sendForm = (hostile: Hostile, body: string | Uint8Array, options: object = {}) =>
	hostile.send("POST", pathOf(hostile), body, { headers: FORM, ...options });

/** Markdown of the same few characters again and again, different each time. */
const slow =
	(unit: string, bytes: number) =>
	({ random }: Hostile): string =>
		`${random.between(0, 1e9)}\n\n${unit.repeat(Math.ceil(bytes / unit.length))}`;

const document = (
	name: string,
	toContent: (hostile: Hostile) => string,
	{ fileName = "page.md", everyMs = 1000, concurrency = 1 } = {},
): Attack => ({
	name,
	expects: REFUSED,
	everyMs,
	concurrency,
	start: (hostile) => () => sendForm(hostile, toForm(toContent(hostile), fileName)),
});

const SLOW = 150 * KILOBYTE;

export const DOCUMENT_ATTACKS: readonly Attack[] = [
	document("markdown-emphasis", slow("*a_", SLOW), { concurrency: 2 }),
	document("markdown-quotes", slow(">", SLOW)),
	document("markdown-deep-lists", ({ random }) =>
		Array.from({ length: 600 }, (_, level) => `${" ".repeat(level * 2)}- ${random.next()}`).join("\n"),
	),
	document(
		"markdown-tables",
		({ random }) => `|${"a|".repeat(2000)}\n|${"-|".repeat(2000)}\n${random.next()}\n${"|a\n".repeat(4000)}`,
	),
	document("markdown-links", slow("[a](<b", SLOW)),
	document("markdown-brackets", slow("![[", SLOW)),
	document(
		"markdown-backticks",
		({ random }) =>
			`${random.next()} ${Array.from({ length: 400 }, (_, index) => "`".repeat(index)).join(" ")}`,
	),
	document(
		"markdown-references",
		({ random }) =>
			`${Array.from({ length: 8000 }, (_, index) => `[r${index}]: /u${index}`).join("\n")}\n${random.next()}\n${"[r1][r2]".repeat(8000)}`,
	),
	document("markdown-entities", slow("&amp", SLOW)),
	document("markdown-html-blocks", slow("<!--\n<a\n", SLOW)),
	document("html-deep", ({ random }) => `<p>${random.next()}${"<div><b>".repeat(40_000)}`, {
		fileName: "page.html",
	}),
	document("html-tables", ({ random }) => `${random.next()}${"<table><tr><td><a><i>".repeat(8000)}`, {
		fileName: "page.html",
	}),
	document("html-attributes", ({ random }) => `<p ${'a="b" '.repeat(100_000)}>${random.next()}</p>`, {
		fileName: "page.html",
	}),
	document("text-one-line", ({ random }) => `${random.next()} ${"word ".repeat(600_000)}`, {
		fileName: "a.txt",
		everyMs: 3000,
	}),
	document("text-headings", ({ random }) => `${random.next()}\n${"# a\n\nb\n\n".repeat(40_000)}`, {
		everyMs: 3000,
	}),
	document(
		"front-matter",
		({ random }) => `---\n${"a: &a [*a,*a]\n".repeat(5000)}b: ${random.next()}\n---\ntext`,
	),
	document(
		"control-and-bidi",
		({ random }) => `${random.next()}${"\u202e\u200b\u{e0041}\u0000\ufeff".repeat(20_000)}`,
	),
	document("many-small", ({ random }) => `# ${random.next()}\n\nsmall`, { everyMs: 50, concurrency: 2 }),
	{
		name: "unfinished-forms",
		expects: [...REFUSED, "broken *", "200 broken *"],
		everyMs: 2000,
		concurrency: 24,
		start: (hostile) => async () => {
			// A length that never comes: the upload stays open for a while.
			const agent = new Agent();
			await sendForm(hostile, toForm("x".repeat(20 * MEBIBYTE)), {
				agent,
				headers: { ...FORM, "content-length": String(60 * MEBIBYTE) },
				timeoutMs: 8000,
			});
			agent.destroy();
		},
	},
	{
		name: "forms-at-once",
		expects: [...REFUSED, "broken EPIPE", "broken ECONNRESET"],
		everyMs: 4000,
		concurrency: 10,
		start: (hostile) => () =>
			sendForm(hostile, toForm(`${hostile.random.next()} ${"word ".repeat(4_000_000)}`, "a.txt")),
	},
	{
		name: "json-uploads-of-20-mb",
		expects: [...REFUSED, "broken EPIPE", "broken ECONNRESET"],
		everyMs: 4000,
		concurrency: 4,
		start: (hostile) => () =>
			hostile.send("POST", pathOf(hostile), {
				text: `${hostile.random.next()} ${"\\u0041x\n".repeat(3_000_000)}`,
			}),
	},
	{
		name: "empty-parts",
		expects: [...REFUSED, "broken EPIPE", "broken ECONNRESET"],
		everyMs: 4000,
		start: (hostile) => {
			const part = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n`;
			const body = toForm("x", "x.md", part.repeat(Math.floor((57 * MEBIBYTE) / part.length)));
			return () => sendForm(hostile, body);
		},
	},
	{
		name: "bare-boundaries",
		expects: [...REFUSED, "broken EPIPE", "broken ECONNRESET"],
		everyMs: 4000,
		start: (hostile) => {
			const body = `--${BOUNDARY}\r\n`.repeat(1_000_000);
			return () => sendForm(hostile, body);
		},
	},
	{
		name: "parts-with-long-names",
		expects: [...REFUSED, "broken EPIPE", "broken ECONNRESET"],
		everyMs: 2000,
		start: (hostile) => {
			const name = "n".repeat(60_000);
			const part = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\nx-more: ${name}\r\n\r\nv\r\n`;
			const body = toForm("x", "x.md", part.repeat(150));
			return () => sendForm(hostile, body);
		},
	},
	{
		name: "file-name-tricks",
		expects: REFUSED,
		everyMs: 1000,
		start: (hostile) => () =>
			sendForm(
				hostile,
				toForm(String(hostile.random.next()), `${"../".repeat(9)}\u202e${"x".repeat(9000)}.md`),
			),
	},
	{
		name: "upload-metadata",
		expects: REFUSED,
		everyMs: 1500,
		start: (hostile) => () =>
			hostile.send("POST", pathOf(hostile), {
				text: String(hostile.random.next()),
				metadata: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, "v"])),
			}),
	},
	{
		name: "same-document-again",
		expects: REFUSED,
		everyMs: 100,
		concurrency: 2,
		start: (hostile) => () => hostile.send("POST", pathOf(hostile), { text: "# Same\n\nThe same again." }),
	},
	{
		name: "replace-storm",
		expects: REFUSED,
		everyMs: 50,
		concurrency: 2,
		start: (hostile) => () =>
			hostile.send("POST", pathOf(hostile), { text: `# New ${hostile.random.next()}`, source: "one.md" }),
	},
	{
		name: "delete-storm",
		expects: [...REFUSED, "404 document_not_found"],
		everyMs: 100,
		concurrency: 2,
		start: (hostile) => async () => {
			const { data } = await hostile.sendJson("POST", pathOf(hostile), {
				text: `# Gone ${hostile.random.next()}\n\n${"gone ".repeat(2000)}`,
			});
			const [document] = Array.isArray(data) ? (data as { id: string }[]) : [];
			if (document !== undefined) await hostile.send("DELETE", `${pathOf(hostile)}/${document.id}`);
		},
	},
	{
		name: "knowledge-base-storm",
		expects: [...REFUSED, "404 *", "409 *"],
		everyMs: 100,
		concurrency: 2,
		start: (hostile) => async () => {
			const { id } = await hostile.sendJson("POST", "/v1/knowledge-bases", {
				name: `kb ${hostile.random.next()}`,
			});
			if (typeof id !== "string") return;
			await hostile.send("POST", `/v1/knowledge-bases/${id}/documents`, {
				text: `# Page\n\n${"text ".repeat(5000)}`,
			});
			await hostile.send("DELETE", `/v1/knowledge-bases/${id}`);
		},
	},
	{
		name: "aborted-uploads",
		expects: [...REFUSED, "broken *"],
		everyMs: 200,
		concurrency: 2,
		start: (hostile) => () =>
			sendForm(hostile, toForm("x".repeat(2 * MEBIBYTE)), {
				headers: { ...FORM, "content-length": String(4 * MEBIBYTE) },
				timeoutMs: hostile.random.between(5, 60),
			}),
	},
];
