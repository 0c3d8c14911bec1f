import { readdirSync, readFileSync } from "node:fs";
import { createMsg } from "@stemma/documents/mail/test-support/create-msg";
import { createZip } from "@stemma/documents/test-support/create-zip";
import { createRandom, makePlaceFiles } from "@stemma/documents/test-support/place-files";
import { afterAll, beforeAll, expect, it } from "vitest";
import type * as source from "./ingest/reading/document-reader";

// The package does not export it.
const path = new URL("../../dist/document-reader.js", import.meta.url).href;
const { createDocumentReaders } = (await import(path)) as typeof source;

/** Far longer than any of these files takes, on a busy machine too: what reaches it hangs. */
const LIMIT_MS = 120_000;

let readers: source.DocumentReaders;
beforeAll(() => {
	readers = createDocumentReaders({ toLimitMs: () => LIMIT_MS });
});
afterAll(() => readers.stop());

/** Mutations of each format. */
const MUTATIONS = Number(process.env.STEMMA_MUTATIONS ?? 200);
const SEED = Number(process.env.STEMMA_SEED ?? 1);
const CONCURRENT = 8;
const MAX_ORIGINAL_BYTES = 60_000;
/** All that may come of a damaged document, besides its text. A reading process that ended, or was ended, is not among them. */
const CODES = ["unreadable", "needs_ocr", "password_protected", "too_complex", "no_text"];

const TEXTS: Readonly<Record<string, string>> = {
	"notes.md":
		"---\ntitle: Notes\n---\n# Fees\n\nA *parcel* costs [4 €](https://a.example).\n\n- one\n  1. two\n\n| a | b |\n|---|---|\n| 1 | `x` |\n\n> quoted[^1]\n\n[^1]: Note.\n",
	"page.html":
		'<!doctype html><title>Fees</title><main><h1>Fees</h1><p>A <b>parcel</b> costs <a href="/x">4 &euro;</a>.<table><tr><th>a<th>b<tr><td>1<td>2</table><ul><li>one<li>two</ul></main>',
	"notes.txt": "Fees\n\nA parcel costs 4 €.\n\n- one\n- two\n",
	"notes.rst": "Fees\n====\n\nA parcel costs 4 €.\n\nLate\n----\n\nMore.\n",
	"notes.org": "#+TITLE: Notes\n* Fees\nA parcel costs 4 €.\n** Late\nMore.\n",
	"fees.csv": 'name;fee\n"Ada; L.";4,50\nBob;"3 ""net"""\n',
	"fees.json":
		'{"fees": [{"name": "Ada", "fee": 4.5}, {"name": "Bob", "fee": null}], "note": "A \\u20ac \\ud83d\\ude00"}',
	"fees.yaml": "fees:\n  - &a {name: Ada, fee: 4.5}\n  - *a\nnote: |\n  A parcel\n  costs 4.\n",
	"fees.xml":
		'<?xml version="1.0"?><fees xmlns:x="u"><x:fee name="Ada">4.5<![CDATA[ <net> ]]></x:fee><!-- c --></fees>',
	"notes.ipynb":
		'{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "markdown", "source": ["# Fees"]}, {"cell_type": "code", "source": "1+1", "outputs": [{"output_type": "stream", "text": ["2"]}]}]}',
	"move.eml":
		'From: Ada <a@x.example>\r\nSubject: =?utf-8?q?The_m=C3=B6ve?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nWe m=F6ve.\r\n\r\n> Before.\r\n--b\r\nContent-Type: text/csv; name=f.csv\r\nContent-Disposition: attachment; filename=f.csv\r\nContent-Transfer-Encoding: base64\r\n\r\nYSxiCjEsMgo=\r\n--b--\r\n',
	"page.mhtml":
		'Subject: Page\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<h1>Fees</h1><p>4 EUR\r\n--b--\r\n',
};

const MESSAGE = createMsg({
	"__properties_version1.0": new Uint8Array(32),
	"__substg1.0_0037001F": "Parcels",
	"__substg1.0_1000001F": "Goes back within 14 days.",
	"__attach_version1.0_#00000000": {
		"__properties_version1.0": new Uint8Array(32),
		"__substg1.0_3707001F": "fees.md",
		"__substg1.0_37010102": Buffer.from("# Fees\n\nA parcel costs 4 €."),
	},
});

/** Parts of a container of which one is damaged and the container is not, so that its reader gets as far as that part. */
const WORD_PARTS = {
	"[Content_Types].xml": "<Types/>",
	"word/document.xml":
		'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Fees</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>4 &amp; 5</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>',
	"word/styles.xml":
		'<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Heading1"/></w:style></w:styles>',
};

interface Original {
	readonly name: string;
	readonly bytes: Uint8Array;
}

async function listOriginals(): Promise<Map<string, Original[]>> {
	const folder = new URL("../../../documents/src/test-support/other-programs/", import.meta.url);
	const ofOthers = readdirSync(folder)
		.filter((name) => !/\.(md|doc|xls|ppt)$/.test(name))
		.map((name) => ({ name, bytes: readFileSync(new URL(name, folder)) }));
	const originals = [
		...ofOthers,
		...(await makePlaceFiles(createRandom(SEED))),
		...Object.entries(TEXTS).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
		{ name: "mail.msg", bytes: MESSAGE },
	].filter(({ bytes }) => bytes.length <= MAX_ORIGINAL_BYTES);
	return Map.groupBy(originals, ({ name }) => name.slice(name.lastIndexOf(".") + 1));
}

/** Damages one to eight places of a file. */
function mutate(bytes: Uint8Array, random: () => number): Buffer {
	const below = (limit: number): number => Math.floor(random() * limit);
	let mutated = Buffer.from(bytes);
	for (let places = 1 + below(8); places > 0; places--) {
		const at = below(mutated.length);
		const [before, part, after] = [
			mutated.subarray(0, at),
			mutated.subarray(at, at + 1 + below(64)),
			mutated.subarray(at + 1 + below(64)),
		];
		const kind = below(6);
		if (kind === 0) mutated = Buffer.concat([before, Buffer.from([below(256)]), mutated.subarray(at + 1)]);
		else if (kind === 1) mutated = Buffer.concat([before, after]);
		else if (kind === 2) mutated = Buffer.concat([before, part, part, part, mutated.subarray(at)]);
		else if (kind === 3)
			mutated = Buffer.concat([before, Buffer.from(part.map(() => below(256))), mutated.subarray(at)]);
		else if (kind === 4) mutated = Buffer.concat([mutated.subarray(at), before]);
		else if (random() < 0.2) mutated = before;
		else mutated = Buffer.concat([before, Buffer.from(String(2 ** below(40))), mutated.subarray(at)]);
	}
	return mutated;
}

async function readOutcome({ name, bytes }: Original): Promise<string> {
	const upload = { bytes, format: "text" as const, fileName: name, source: null, separatesAttachments: true };
	return readers.read("a", upload).then(
		() => "ready",
		({ error }: { readonly error?: { readonly code: string } }) => error?.code ?? "none",
	);
}

/** Reads so many mutations, and lists those that ended in no way that a document may. */
async function findUnexpected(makeMutation: (index: number) => Original): Promise<string[]> {
	const unexpected: string[] = [];
	let next = 0;
	const readNext = async () => {
		while (next < MUTATIONS) {
			const index = next++;
			const mutation = makeMutation(index);
			const outcome = await readOutcome(mutation);
			if (outcome !== "ready" && !CODES.includes(outcome))
				unexpected.push(`${index} ${mutation.name}: ${outcome}`);
		}
	};
	await Promise.all(Array.from({ length: CONCURRENT }, readNext));
	return unexpected;
}

const originals = await listOriginals();

it.each([...originals])(
	"damaged %s files are read, or fail with a code of their own",
	async (extension, files) => {
		const random = createRandom(SEED);
		const unexpected = await findUnexpected((index) => {
			const { name, bytes } = files[index % files.length] ?? { name: extension, bytes: new Uint8Array() };
			return { name, bytes: mutate(bytes, random) };
		});
		expect(unexpected, `seed ${SEED}`).toEqual([]);
		expect(await readOutcome({ name: "next.txt", bytes: Buffer.from("Next.") })).toBe("ready");
	},
	3_600_000,
);

it("damaged parts within a whole container are read, or fail with a code of their own", async () => {
	const random = createRandom(SEED);
	const names = Object.keys(WORD_PARTS);
	const unexpected = await findUnexpected((index) => {
		const damaged = names[index % names.length];
		const parts = Object.entries(WORD_PARTS).map(([name, content]) => ({
			name,
			content: name === damaged ? mutate(Buffer.from(content), random) : content,
		}));
		return { name: "parts.docx", bytes: createZip(parts) };
	});
	expect(unexpected, `seed ${SEED}`).toEqual([]);
}, 3_600_000);
