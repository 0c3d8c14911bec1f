import { expect, it } from "vitest";
import { findFormat } from "../document-format";
import { parseDocument } from "../parse-document";
import { UnreadableError } from "../unreadable-error";
import { createMsg, type Folder } from "./test-support/create-msg";

const PROPERTIES = { "__properties_version1.0": new Uint8Array(32) };
/** Stream of a property, by its tag: `001F` is a text in UTF-16, `001E` one in a codepage, `0102` bytes. */
const stream = (tag: string, content: string | Uint8Array): Folder => ({ [`__substg1.0_${tag}`]: content });
const SUBJECT = stream("0037001F", "Parcels");
const BODY = stream("1000001F", "A parcel costs 4 €.");
const message = (...parts: readonly Folder[]): Folder => Object.assign({ ...PROPERTIES }, ...parts);
const attachment = (number: number, ...parts: readonly Folder[]): Folder => ({
	[`__attach_version1.0_#${String(number).padStart(8, "0")}`]: message(...parts),
});
const recipient = (number: number, ...parts: readonly Folder[]): Folder => ({
	[`__recip_version1.0_#${String(number).padStart(8, "0")}`]: message(...parts),
});
const named = (name: string) => stream("3707001F", name);
const data = (content: string | Uint8Array) => stream("37010102", Buffer.from(content));

/** Text of a message, or the code of the reason why it is not read. */
async function read(bytes: Uint8Array): Promise<string> {
	const format = findFormat("a.msg");
	if (format === undefined) throw new Error("no format");
	try {
		const { text = "" } = await parseDocument(bytes, format);
		return text;
	} catch (error) {
		if (error instanceof UnreadableError) return error.code;
		throw error;
	}
}

const html = (text: string) => stream("10130102", Buffer.from(text));

it.each<[name: string, parts: readonly Folder[], expected: RegExp]>([
	["a subject alone", [SUBJECT], /^Subject: Parcels$/],
	["a body alone", [BODY], /^A parcel costs 4 €\.$/],
	["nothing", [], /^$/],
	["empty texts", [stream("0037001F", ""), stream("1000001F", "")], /^$/],
	[
		"a subject over lines",
		[stream("0037001F", "Parcels\r\nand returns"), BODY],
		/Subject: Parcels and returns/,
	],
	["HTML alone", [SUBJECT, html("<p>A parcel <b>costs</b> 4 &euro;.</p>")], /A parcel costs 4 €\./],
	["HTML that is not closed", [SUBJECT, html("<div><p>A parcel<table><tr><td>4")], /A parcel/],
	["HTML with scripts", [SUBJECT, html("<script>alert(1)</script><p>Text</p>")], /^(?!.*alert).*Text/s],
	[
		"a short text beside long HTML",
		[stream("1000001F", "-"), html(`<p>${"long ".repeat(50)}</p>`)],
		/long long/,
	],
	["blanks as its text", [SUBJECT, stream("1000001F", " \r\n\t")], /^Subject: Parcels$/],
	["scripts of many directions", [stream("1000001F", "שלום مرحبا 日本語 😀")], /שלום مرحبا 日本語 😀/],
	["half of a pair of surrogates", [stream("1000001F", "a\ud800b")], /^a.b$/su],
	["zeros in its text", [stream("1000001F", "a\0b")], /a/],
	["a long text", [stream("1000001F", "A line of text.\r\n".repeat(20_000))], /A line of text\./],
	["quoted history alone", [stream("1000001F", "> How much?\r\n> A parcel?")], /How much\?/],
	[
		"a sender without a name",
		[SUBJECT, stream("0C1F001F", "ada@example.com"), BODY],
		/From: ada@example\.com/,
	],
	["a sender without an address", [SUBJECT, stream("0C1A001F", "Ada"), BODY], /From: Ada/],
	[
		"recipients without addresses",
		[BODY, recipient(0), recipient(1, stream("3001001F", "Jörg"))],
		/To:.*Jörg/,
	],
	[
		"a hundred recipients",
		[BODY, ...Array.from({ length: 100 }, (_, n) => recipient(n, stream("3001001F", `R${n}`)))],
		/and \d+ more/,
	],
	["an attachment without a name", [BODY, attachment(0, data("# Fees"))], /attachment 1 \(not read: /],
	[
		"an attachment without data",
		[BODY, attachment(0, named("fees.md"))],
		/fees\.md \(not read: it is not in the message\)/,
	],
	["an empty attachment", [BODY, attachment(0, named("fees.md"), data(""))], /fees\.md/],
	[
		"an attachment in another folder",
		[BODY, attachment(0, named("../../fees.md"), data("Fee: 4"))],
		/fees\.md/,
	],
	[
		"an attachment of an unknown format",
		[BODY, attachment(0, named("a.xyz"), data("x"))],
		/a\.xyz \(not read: /,
	],
	[
		"an attached image",
		[BODY, attachment(0, named("a.png"), data("\x89PNG\r\n\x1a\n"))],
		/a\.png \(not read: /,
	],
	[
		"a damaged attachment",
		[BODY, attachment(0, named("a.docx"), data("PK\x03\x04"))],
		/a\.docx \(not read: /,
	],
	["an attachment that lies about its format", [BODY, attachment(0, named("a.pdf"), data("no"))], /a\.pdf/],
	[
		"attachments of one name",
		[BODY, attachment(0, named("a.md"), data("One")), attachment(1, named("a.md"), data("Two"))],
		/One.*Two/s,
	],
	["attachments whose numbers have gaps", [BODY, attachment(7, named("a.md"), data("Seven"))], /Seven/],
	[
		"two hundred attachments",
		[BODY, ...Array.from({ length: 200 }, (_, n) => attachment(n, named(`${n}.md`), data(`Text ${n}`)))],
		/Text 99/,
	],
	["streams that are no properties", [BODY, { other: "x", "__nameid_version1.0": { x: "y" } }], /A parcel/],
])("a message with %s is read", async (_, parts, expected) => {
	expect(await read(createMsg(message(...parts)))).toMatch(expected);
});

it.each<[name: string, part: Folder]>([
	["properties that are cut off", { "__properties_version1.0": new Uint8Array(7) }],
	["no properties", { "__properties_version1.0": new Uint8Array(0) }],
	["a property of an unknown type", stream("1000FFFF", "x")],
])("a message with %s is refused as unreadable", async (_, part) => {
	expect(await read(createMsg(message(BODY, part)))).toBe("unreadable");
});

it("messages with bytes that were changed are read, or refused as unreadable", async () => {
	const whole = createMsg(message(SUBJECT, BODY, attachment(0, named("a.md"), data("Fee: 4"))));
	const seen = new Set<string>();
	for (let at = 0; at < whole.length; at += 37) {
		const bytes = whole.slice();
		bytes[at] = (bytes[at] ?? 0) ^ 0xff;
		const text = await read(bytes);
		seen.add(/^[a-z_]+$/.test(text) ? text : "read");
	}
	expect([...seen].filter((code) => !["read", "unreadable", "too_complex"].includes(code))).toEqual([]);
	expect(seen).toContain("read");
});
