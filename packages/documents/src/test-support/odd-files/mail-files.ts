import { createMsg, type Folder } from "../../mail/test-support/create-msg";
import { NO_TEXT, type OddFile, type Oddities, SENTENCE, toOddFiles, UNREADABLE } from "./odd-file";

const HEAD = "From: Ada <ada@x.example>\nTo: bob@x.example\nSubject: Fees\nMIME-Version: 1.0\n";
const QUOTED = "A parcel to K=C3=B6ln costs 4 =E2=82=AC.";
const BASE64 = Buffer.from(SENTENCE).toString("base64");
const HTML_BASE64 = Buffer.from(`<p>${SENTENCE}</p>`).toString("base64");
const toPart = (type: string, body: string, encoding = "8bit"): string =>
	`Content-Type: ${type}\nContent-Transfer-Encoding: ${encoding}\n\n${body}\n`;
const TEXT = "text/plain; charset=utf-8";
const toMultipart = (kind: string, parts: readonly string[], end = "--b--\n"): string =>
	`Content-Type: multipart/${kind}; boundary="b"\n\n${parts.map((part) => `--b\n${part}`).join("")}${end}`;

const MAIL: Oddities = {
	plain: `${HEAD}${toPart(TEXT, SENTENCE)}`,
	"quoted-printable": `${HEAD}${toPart(TEXT, QUOTED, "quoted-printable")}`,
	base64: `${HEAD}${toPart(TEXT, BASE64, "base64")}`,
	"wrong-encoding-name": `${HEAD}${toPart(TEXT, SENTENCE, "x-unknown")}`,
	html: `${HEAD}${toPart("text/html; charset=utf-8", `<p>${SENTENCE}</p>`)}`,
	latin: Buffer.from(
		`${HEAD}${toPart("text/plain; charset=windows-1252", SENTENCE.replace("€", "\x80"))}`,
		"latin1",
	),
	"no-charset": `${HEAD}${toPart("text/plain", SENTENCE)}`,
	"no-content-type": `${HEAD}\n${SENTENCE}\n`,
	"no-subject": `From: ada@x.example\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\n${SENTENCE}\n`,
	"subject-of-words": `From: a@x.example\nSubject: =?utf-8?B?${BASE64}?=\n\nBody.\n`,
	"broken-subject": `From: a@x.example\nSubject: =?utf-8?B?%%%?= =?x\n\n${SENTENCE}\n`,
	"headers-over-lines": `From: a@x.example,\n b@x.example\nSubject: a\n b\n\n${SENTENCE}\n`,
	alternative: `${HEAD}${toMultipart("alternative", [toPart(TEXT, SENTENCE), toPart("text/html", `<p>${SENTENCE}</p>`)])}`,
	"alternative-html-alone": `${HEAD}${toMultipart("alternative", [toPart(TEXT, ""), toPart("text/html; charset=utf-8", HTML_BASE64, "base64")])}`,
	"no-last-boundary": `${HEAD}${toMultipart("mixed", [toPart(TEXT, SENTENCE)], "")}`,
	"text-before-the-first-part": `${HEAD}${toMultipart("mixed", [toPart(TEXT, SENTENCE)]).replace("\n\n--b", "\n\nThis is MIME.\n--b")}`,
	attachment: `${HEAD}${toMultipart("mixed", [toPart(TEXT, "See it."), `Content-Disposition: attachment; filename="fees.txt"\n${toPart(TEXT, BASE64, "base64")}`])}`,
	"attachment-of-unknown-kind": `${HEAD}${toMultipart("mixed", [toPart(TEXT, SENTENCE), `Content-Disposition: attachment; filename="x.bin"\n${toPart("application/octet-stream", "AAAA", "base64")}`])}`,
	"mail-in-mail": `${HEAD}${toMultipart("mixed", [toPart(TEXT, "See it."), `Content-Type: message/rfc822\n\n${HEAD}${toPart(TEXT, SENTENCE)}`])}`,
	"name-over-parts": `${HEAD}${toMultipart("mixed", [toPart(TEXT, SENTENCE), `Content-Disposition: attachment; filename*0="fe"; filename*1="es.csv"\n${toPart("text/csv", "a,b\n1,2")}`])}`,
	history: `${HEAD}\n${SENTENCE}\n\nOn Monday, Bob wrote:\n> How much is it?\n>> Fees?\n`,
	"lines-of-windows": `${HEAD}${toPart(TEXT, SENTENCE)}`.replaceAll("\n", "\r\n"),
	"byte-order-mark": `\ufeff${HEAD}${toPart(TEXT, SENTENCE)}`,
	"from-a-mailbox": `From ada@x.example Mon Jan  1 00:00:00 2024\n${HEAD}${toPart(TEXT, SENTENCE)}`,
	empty: ["", NO_TEXT],
	"long-line": `${HEAD}\n${"word ".repeat(20_000)}${SENTENCE}\n`,
};

const PAGE = `<h1>Fees</h1><p>${SENTENCE}</p>`;
const HTML = "text/html; charset=utf-8";
const SAVED = "From: <Saved by a browser>\nSubject: Fees\nMIME-Version: 1.0\n";
const toSaved = (parts: readonly string[], rest = ""): string =>
	`${SAVED}${toMultipart(`related; type="text/html"${rest}`, parts)}`;
const STYLE = toPart("text/css", "p { color: red }");
const PICTURE = `Content-Location: https://x.example/x.png\n${toPart("image/png", "AAAA", "base64")}`;

const SAVED_PAGES: Oddities = {
	"one-part": toSaved([toPart(HTML, PAGE)]),
	"no-parts": `${SAVED}${toPart(HTML, PAGE)}`,
	base64: toSaved([toPart(HTML, Buffer.from(PAGE).toString("base64"), "base64")]),
	"quoted-printable": toSaved([toPart(HTML, `<p>${QUOTED}</p>`, "quoted-printable")]),
	"soft-line-ends": toSaved([
		toPart(HTML, `<p>${QUOTED.replace(" costs", "=\n costs")}</p>`, "quoted-printable"),
	]),
	"styles-first": toSaved([STYLE, toPart(HTML, PAGE)]),
	pictures: toSaved([toPart(HTML, PAGE), PICTURE, PICTURE]),
	frames: toSaved([toPart(HTML, PAGE), toPart(HTML, "<p>Frame</p>")]),
	start: toSaved(
		[`Content-ID: <other>\n${toPart(HTML, "<p>Other</p>")}`, `Content-ID: <main>\n${toPart(HTML, PAGE)}`],
		'; start="<main>"',
	),
	location: `Snapshot-Content-Location: https://x.example/\n${toSaved([`Content-Location: https://x.example/\n${toPart(HTML, PAGE)}`])}`,
	latin: Buffer.from(
		toSaved([toPart("text/html; charset=windows-1252", PAGE.replace("€", "\x80"))]),
		"latin1",
	),
	"charset-of-the-page": toSaved([toPart("text/html", `<meta charset="utf-8">${PAGE}`)]),
	"no-charset": toSaved([toPart("text/html", PAGE)]),
	xhtml: toSaved([
		toPart(
			"application/xhtml+xml; charset=utf-8",
			`<html xmlns="http://www.w3.org/1999/xhtml"><body>${PAGE}</body></html>`,
		),
	]),
	"no-subject": toSaved([toPart(HTML, PAGE)]).replace("Subject: Fees\n", ""),
	"subject-of-words": toSaved([toPart(HTML, PAGE)]).replace("Fees", `=?utf-8?B?${BASE64}?=`),
	"no-last-boundary": toSaved([toPart(HTML, PAGE)]).replace("--b--\n", ""),
	"lines-of-windows": toSaved([toPart(HTML, PAGE)]).replaceAll("\n", "\r\n"),
	"text-before-the-first-part": toSaved([toPart(HTML, PAGE)]).replace("\n\n--b", "\n\nA page.\n--b"),
	"parts-in-parts": toSaved([toPart(HTML, PAGE)]).replace("multipart/related", "multipart/mixed"),
	"tags-without-end": toSaved([toPart(HTML, `<div><table><tr><td>${SENTENCE}`)]),
	"scripts-alone": [toSaved([toPart(HTML, "<script>1</script>")]), NO_TEXT],
	"styles-alone": [toSaved([STYLE]), UNREADABLE],
	"upper-case-headers": toSaved([toPart(HTML, PAGE)]).replaceAll("Content-Type", "CONTENT-TYPE"),
	empty: ["", NO_TEXT],
	"byte-order-mark": `\ufeff${toSaved([toPart(HTML, PAGE)])}`,
};

const PROPERTIES = { "__properties_version1.0": new Uint8Array(32) };
const toMsg = (folder: Folder): Uint8Array => createMsg({ ...PROPERTIES, ...folder });
const SUBJECT = { "__substg1.0_0037001F": "Fees" };
const BODY = { "__substg1.0_1000001F": SENTENCE };
const toAttached = (name: string, content: string | Uint8Array): Folder => ({
	"__properties_version1.0": new Uint8Array(32),
	"__substg1.0_3707001F": name,
	"__substg1.0_37010102": Buffer.from(content),
});
const WHOLE = toMsg({ ...SUBJECT, ...BODY });

const OUTLOOK: Oddities = {
	whole: WHOLE,
	"no-subject": toMsg(BODY),
	"subject-alone": [toMsg({ "__substg1.0_0037001F": SENTENCE }), { text: SENTENCE }],
	"narrow-text": toMsg({ "__substg1.0_1000001E": Buffer.from(SENTENCE.replace("€", "\x80"), "latin1") }),
	html: toMsg({
		...SUBJECT,
		"__substg1.0_10130102": Buffer.from(`<meta charset="utf-8"><p>${SENTENCE}</p>`),
	}),
	"html-as-text": toMsg({ ...SUBJECT, "__substg1.0_1013001F": `<p>${SENTENCE}</p>` }),
	"text-and-html": toMsg({ ...SUBJECT, ...BODY, "__substg1.0_10130102": Buffer.from(`<p>${SENTENCE}</p>`) }),
	sender: toMsg({
		...SUBJECT,
		...BODY,
		"__substg1.0_0C1A001F": "Ada",
		"__substg1.0_0C1F001F": "ada@x.example",
	}),
	receivers: toMsg({ ...BODY, "__substg1.0_0E04001F": "Bob; Eve" }),
	attachment: toMsg({
		...SUBJECT,
		"__substg1.0_1000001F": "See it.",
		"__attach_version1.0_#00000000": toAttached("fees.txt", SENTENCE),
	}),
	"attachment-without-name": toMsg({
		...BODY,
		"__attach_version1.0_#00000000": { ...PROPERTIES, "__substg1.0_37010102": Buffer.from("x") },
	}),
	"attachment-without-content": toMsg({
		...BODY,
		"__attach_version1.0_#00000000": { ...PROPERTIES, "__substg1.0_3707001F": "x.txt" },
	}),
	"attachment-of-unknown-kind": toMsg({
		...BODY,
		"__attach_version1.0_#00000000": toAttached("x.bin", "\0\x01"),
	}),
	"twelve-attachments": toMsg({
		...BODY,
		...Object.fromEntries(
			Array.from({ length: 12 }, (_, index) => [
				`__attach_version1.0_#${index.toString(16).padStart(8, "0")}`,
				toAttached(`${index}.txt`, `Attached ${index}`),
			]),
		),
	}),
	"unknown-streams": toMsg({ ...BODY, "__substg1.0_FFFF001F": "x", other: "y", folder: { deep: "z" } }),
	"named-properties": toMsg({
		...BODY,
		"__nameid_version1.0": { "__substg1.0_00020102": new Uint8Array(16) },
	}),
	"receiver-folders": toMsg({
		...BODY,
		"__recip_version1.0_#00000000": { ...PROPERTIES, "__substg1.0_3001001F": "Bob" },
	}),
	"from-right-to-left": [toMsg({ "__substg1.0_1000001F": "شروط الشحن" }), { text: "شروط الشحن" }],
	"many-lines": toMsg({ ...SUBJECT, "__substg1.0_1000001F": `${"line\r\n".repeat(3_000)}${SENTENCE}` }),
	"zeros-in-text": toMsg({ ...SUBJECT, "__substg1.0_1000001F": `${SENTENCE}\0\0` }),
	"bytes-behind": Buffer.concat([WHOLE, Buffer.alloc(512)]),
	"no-body": [toMsg({}), NO_TEXT],
	"cut-off": [WHOLE.subarray(0, 700), UNREADABLE],
	"header-alone": [WHOLE.subarray(0, 512), UNREADABLE],
	"no-message": [createMsg({ other: "x" }), UNREADABLE],
	empty: ["", NO_TEXT],
};

/** Odd mails and saved pages. */
export const makeMailFiles = (): readonly OddFile[] => [
	...toOddFiles("eml", MAIL),
	...toOddFiles("mhtml", SAVED_PAGES),
	...toOddFiles("msg", OUTLOOK),
];
