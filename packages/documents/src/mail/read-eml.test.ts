import { describe, expect, it } from "vitest";
import { findFormat } from "../document-format";
import type { ParsedDocument } from "../document-part";
import { parseDocument } from "../parse-document";
import { cutPassages } from "../passages/cut-passages";
import { findTitle } from "../passages/sections";

const HEADER = [
	"From: Ada Lovelace <ada@example.com>",
	"To: =?utf-8?Q?J=C3=B6rg?= <joerg@example.com>, desk@example.com",
	"Date: Mon, 2 Mar 2026 10:00:00 +0100",
	"Subject: =?utf-8?B?UsO8Y2tnYWJl?= of parcels",
	"MIME-Version: 1.0",
];

const mail = (type: string, body: string, headers: readonly string[] = HEADER): string =>
	[...headers, `Content-Type: ${type}`, "", body].join("\r\n");

/** Multipart body of parts, each with its header. */
const multipart = (kind: string, ...parts: string[]): string =>
	mail(
		`multipart/${kind}; boundary=b1`,
		[...parts.map((part) => `--b1\r\n${part}`), "--b1--", ""].join("\r\n"),
	);

const part = (type: string, body: string, ...headers: string[]): string =>
	[`Content-Type: ${type}`, ...headers, "", body].join("\r\n");

const attached = (name: string, body: string | Uint8Array, type = "application/octet-stream"): string =>
	part(
		type,
		Buffer.from(body).toString("base64"),
		`Content-Disposition: attachment; filename="${name}"`,
		"Content-Transfer-Encoding: base64",
	);

async function parse(content: string | Uint8Array, name = "a.eml"): Promise<ParsedDocument> {
	const format = findFormat(name);
	if (format === undefined) throw new Error(name);
	return parseDocument(Buffer.from(content), format);
}

/** Part of the message, heading and text of each passage. */
async function passagesOf(content: string | Uint8Array): Promise<string[]> {
	const passages = cutPassages({ document_id: "doc_1", title: "", path: "a.eml" }, await parse(content));
	return passages.map(({ place, text }) => `${place.part} ${place.heading ?? "-"}: ${text}`);
}

describe("a mail message", () => {
	it("has its subject as title, and who wrote it to whom when before its text", async () => {
		const parsed = await parse(
			mail("text/plain; charset=utf-8", "Parcels go back\r\nwithin 14 days.\r\n\r\nAda"),
		);
		expect(findTitle(parsed, "a.eml")).toBe("Rückgabe of parcels");
		expect(parsed.text).toBe(
			"From: Ada Lovelace <ada@example.com>\nTo: Jörg <joerg@example.com>, desk@example.com\n" +
				"Date: Mon, 2 Mar 2026 10:00:00 +0100\nSubject: Rückgabe of parcels\n\n" +
				"Parcels go back\nwithin 14 days.\n\nAda",
		);
	});

	it("has its earlier messages under a heading", async () => {
		const answer =
			"Yes, in 14 days.\r\n\r\nOn Mon, 2 Mar 2026 at 09:00, Jörg <joerg@example.com>\r\nwrote:\r\n";
		const [newest, earlier] = await passagesOf(
			mail("text/plain; charset=utf-8", `${answer}> Do parcels go back?\r\n>> Whose?\r\n>\r\n> Jörg\r\n`),
		);
		expect(newest).toMatch(/^body -: From: .*\n\nYes, in 14 days\.$/s);
		expect(earlier).toMatch(/^quoted Earlier messages: On Mon.*Do parcels go back\?.*Whose\?.*Jörg$/s);
	});

	it.each([
		["-----Original Message-----\r\nFrom: Jörg\r\nSent: Monday\r\n\r\nWhen?"],
		["Von: Jörg <j@example.com>\r\nGesendet: Montag\r\nAn: Ada\r\n\r\nWann?"],
		["Am 02.03.2026 um 09:00 schrieb Jörg:\r\n> Wann?"],
		["> Wann?\r\n> Jörg"],
	])("knows where earlier messages begin: %j", async (history) => {
		const [newest, earlier] = await passagesOf(
			mail("text/plain; charset=utf-8", `In 14 days.\r\n\r\n${history}`),
		);
		expect(newest).toMatch(/In 14 days\.$/);
		expect(earlier).toMatch(/^quoted Earlier messages: /);
	});

	it("keeps quotations between the paragraphs of an answer", async () => {
		const body =
			"On Monday Jörg wrote:\r\n> When?\r\n\r\nIn 14 days.\r\n\r\n> How much?\r\n\r\nAll of it.\r\n";
		const passages = await passagesOf(mail("text/plain; charset=utf-8", body));
		expect(passages).toHaveLength(1);
		expect(passages[0]).toMatch(/> When\?.*In 14 days\..*> How much\?.*All of it\.$/s);
	});

	it("is read as HTML where the text says less", async () => {
		const html = `<h1>Fees</h1><p>A parcel costs 4 €.</p><p>${"Small print. ".repeat(20)}</p>`;
		const quoted = '<div class="gmail_quote">On Monday Jörg wrote:<blockquote>How much?</blockquote></div>';
		const [, fees, earlier] = await passagesOf(
			multipart(
				"alternative",
				part("text/plain", "Please open this message in your browser."),
				part("text/html; charset=utf-8", html + quoted),
			),
		);
		expect(fees).toMatch(/^body Fees: A parcel costs 4 €\./);
		expect(earlier).toMatch(/^quoted Earlier messages: On Monday Jörg wrote:\s+How much\?$/);
	});

	it("prefers the plain text of a message that has both", async () => {
		const both = multipart(
			"alternative",
			part("text/plain", "Parcels go back within 14 days."),
			part("text/html", "<p>Parcels go <b>back</b> within 14 days.</p>"),
		);
		expect((await passagesOf(both))[0]).toMatch(/\n\nParcels go back within 14 days\.$/);
	});

	it("has its attachments under their names, and says which are not read", async () => {
		const inner = mail("text/plain", "The inner text.", ["Subject: Inner", "From: b@example.com"]);
		const passages = await passagesOf(
			multipart(
				"mixed",
				part("text/plain", "See below."),
				attached("fees.md", "# Fees\n\n## Parcels\n\nA parcel costs 4 €."),
				attached("scan.pdf", Buffer.from("89504e470d0a1a0a", "hex"), "application/pdf"),
				attached("notes", "PK\x03\x04"),
				part("message/rfc822", inner),
				part("application/pgp-signature", "-----", "Content-Disposition: attachment; filename=sig.asc"),
			),
		);
		expect(passages[0]).toMatch(
			/\nAttachments: fees\.md, scan\.pdf \(not read: .*\), notes \(not read: .*\), attachment 4\n/,
		);
		expect(passages[0]).toMatch(/scan\.pdf \(not read: it is a PNG image\)/);
		expect(passages[1]).toBe("fees.md fees.md › Fees › Parcels: A parcel costs 4 €.");
		expect(passages[2]).toMatch(
			/^attachment 4 attachment 4: Inner: From: b@example\.com\nSubject: Inner\n\nThe inner text\.$/,
		);
	});

	it("is refused where it is encrypted, or none", async () => {
		const encrypted = multipart(
			"encrypted",
			part("application/pgp-encrypted", "Version: 1"),
			attached("msg.asc", "x"),
		);
		await expect(parse(encrypted)).rejects.toMatchObject({ code: "password_protected" });
		await expect(parse("Just a text.\n")).rejects.toMatchObject({ code: "unreadable" });
	});
});

describe("a hostile mail message", () => {
	it("is refused where its parts are nested 1,000 deep", async () => {
		const opened = Array.from(
			{ length: 1_000 },
			(_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}`,
		);
		await expect(parse(`Subject: Deep\n${opened.join("\n")}\n\ntext`)).rejects.toMatchObject({
			code: "too_complex",
		});
	});

	it("is refused with 100,000 groups of parts", async () => {
		const groups = Array.from(
			{ length: 100_000 },
			(_, index) => `--b1\nContent-Type: multipart/mixed; boundary=g${index}\n\n--g${index}\n\nx`,
		);
		const all = mail("multipart/mixed; boundary=b1", groups.join("\n"));
		await expect(parse(all)).rejects.toMatchObject({ code: "too_complex" });
	});

	it("is refused with a header of 10 MB", async () => {
		const header = `X-Long: ${"x".repeat(10_000_000)}`;
		await expect(parse(mail("text/plain", "text", [header]))).rejects.toMatchObject({ code: "too_complex" });
	});

	it("is refused with 100,000 parts that have headers, and read with as many that have none", async () => {
		const parts = (content: string, count: number) =>
			mail("multipart/mixed; boundary=b1", `--b1\n${content}\n`.repeat(count));
		const attachment = "Content-Type: text/plain\nContent-Disposition: attachment\n\nx";
		await expect(parse(parts(attachment, 100_000))).rejects.toMatchObject({ code: "too_complex" });
		expect((await parse(parts(attachment, 500))).text).toMatch(/^From: .* and 480 more\n/s);
		expect((await parse(parts("\nx", 100_000))).text).toContain("x\n\nx\n\nx");
	});

	it("is read where its base64 is none, and where it ends early", async () => {
		const garbage = multipart(
			"mixed",
			part("text/plain", "See below."),
			attached("a.txt", "x").replace(/eA==/, "=%$~\0é".repeat(1_000)),
		);
		expect((await passagesOf(garbage))[0]).toContain("See below.");
		expect((await passagesOf(garbage.slice(0, 300)))[0]).toContain("From: Ada");
	});

	it("ends messages within messages", async () => {
		let message = mail("text/plain", "The innermost.", ["Subject: 0"]);
		for (let level = 1; level <= 20; level++)
			message = [
				`Subject: ${level}`,
				`Content-Type: multipart/mixed; boundary=m${level}`,
				"",
				`--m${level}`,
				"Content-Type: message/rfc822",
				"",
				message,
				`--m${level}--`,
			].join("\n");
		expect((await parse(message)).text).toMatch(/not read: its messages are nested too deeply/);
	});
});

describe("a saved web page (MHTML)", () => {
	it("is its main page, without those of its frames", async () => {
		const page = [
			"From: <Saved by Blink>",
			"Snapshot-Content-Location: https://example.com/fees",
			"Subject: Fees",
			"MIME-Version: 1.0",
			'Content-Type: multipart/related; type="text/html"; boundary=b1',
			"",
			"--b1",
			part(
				"text/html",
				"<html><head><title>Fees =E2=80=93 2026</title></head><body><h2>Parcels</h2><p>A parcel costs 4 =E2=82=AC.</p></body></html>",
				"Content-Transfer-Encoding: quoted-printable",
			),
			"--b1",
			part("text/html", "<html><body>Buy now!</body></html>", "Content-ID: <frame-1@mhtml.blink>"),
			"--b1--",
		].join("\r\n");
		const parsed = await parse(page, "fees.mhtml");
		expect(parsed).toMatchObject({ title: "Fees – 2026", text: "Parcels\n\nA parcel costs 4 €." });
	});
});
