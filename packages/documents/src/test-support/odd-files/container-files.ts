import { createMsg } from "../../mail/test-support/create-msg";
import { createZip, type ZipTestFile } from "../create-zip";
import {
	NO_TEXT,
	type OddFile,
	type Oddities,
	PASSWORD_PROTECTED,
	SENTENCE,
	TOO_COMPLEX,
	toOddFiles,
	UNREADABLE,
} from "./odd-file";

/** Format whose files are zip containers of XML. */
export interface ContainerFormat {
	readonly extension: string;
	/** Part with the text. */
	readonly main: string;
	/** Outcomes of files by what is odd about them, where they differ from those of other formats. */
	readonly outcomes?: Readonly<Record<string, OddFile["outcome"]>>;
	/** Parts of a file that says something. */
	toParts(text: string): Readonly<Record<string, string>>;
}

export const toList = (parts: Readonly<Record<string, string>>): ZipTestFile[] =>
	// The kind of a file is stored as it is, so that programs find it in the first bytes.
	Object.entries(parts).map(([name, content]) => ({ name, content, method: name === "mimetype" ? 0 : 8 }));

/** Signature and comment of the directory's end, as a file with a comment has them. */
function addComment(zip: Buffer, comment: string): Buffer {
	const bytes = Buffer.concat([zip, Buffer.from(comment)]);
	bytes.writeUInt16LE(comment.length, zip.length - 2);
	return bytes;
}

/** Oddities of a container, whatever is in it. */
function toContainerOddities({ main, toParts }: ContainerFormat): Oddities {
	const parts = toParts(SENTENCE);
	const list = toList(parts);
	const whole = createZip(list);
	const withMain = (change: Partial<ZipTestFile>): Buffer =>
		createZip(list.map((part) => (part.name === main ? { ...part, ...change } : part)));
	return {
		whole,
		stored: createZip(list.map((part) => ({ ...part, method: 0 }))),
		"parts-in-another-order": createZip([...list].reverse()),
		"folders-as-parts": createZip([{ name: "folder/", content: "", method: 0 }, ...list]),
		"unknown-parts": createZip([...list, { name: "other/data.bin", content: Buffer.alloc(5_000, 7) }]),
		"two-thousand-parts": createZip([
			...list,
			...Array.from({ length: 2_000 }, (_, index) => ({ name: `other/${index}.xml`, content: "<x/>" })),
		]),
		comment: addComment(whole, "Made by a program."),
		"bytes-behind": Buffer.concat([whole, Buffer.alloc(100)]),
		"names-outside": createZip([{ name: "../../outside.xml", content: "<x/>" }, ...list]),
		"cut-off": [whole.subarray(0, whole.length / 2), UNREADABLE],
		"directory-alone": [whole.subarray(whole.length - 22), UNREADABLE],
		"wrong-checksum": [withMain({ checksum: 5 }), UNREADABLE],
		"size-too-small": [withMain({ declaredSize: 3 }), UNREADABLE],
		"encrypted-part": [withMain({ flags: 0x801 }), PASSWORD_PROTECTED],
		"unknown-compression": [withMain({ method: 97 }), UNREADABLE],
		"no-main-part": [createZip(list.filter(({ name }) => name !== main)), UNREADABLE],
		"main-part-empty": [withMain({ content: "" }), UNREADABLE],
		bomb: [withMain({ content: `<x>${" ".repeat(20_000_000)}</x>` }), TOO_COMPLEX],
		empty: ["", NO_TEXT],
	};
}

/** Oddities of the XML of its main part. */
function toXmlOddities({ main, toParts }: ContainerFormat): Oddities {
	const parts = toParts(SENTENCE);
	const xml = parts[main] ?? "";
	const withXml = (content: string | Uint8Array): Buffer =>
		createZip(toList(parts).map((part) => (part.name === main ? { ...part, content } : part)));
	return {
		"byte-order-mark": withXml(`\ufeff${xml}`),
		"utf-16": withXml(Buffer.from(`\ufeff${xml}`, "utf16le")),
		"comments-and-instructions": withXml(`<?xml version="1.0"?><!-- a --><?b c?>${xml}<!-- d -->`),
		"numeric-characters": withXml(xml.replaceAll("ö", "&#246;").replaceAll("€", "&#x20AC;")),
		"lines-between-tags": withXml(xml.replaceAll("/><", "/>\n<")),
		"entity-declared": [withXml(`<!DOCTYPE x [<!ENTITY e "x">]>${xml}`), UNREADABLE],
		"xml-cut-off": [withXml(xml.slice(0, xml.length / 2)), UNREADABLE],
		"no-xml": [withXml(SENTENCE), UNREADABLE],
		empty: [createZip(toList(toParts(""))), NO_TEXT],
	};
}

/** Odd files of a format whose files are containers. */
export function makeContainerFiles(format: ContainerFormat): readonly OddFile[] {
	const files = toOddFiles(format.extension, { ...toContainerOddities(format), ...toXmlOddities(format) });
	const own = new Map(
		Object.entries(format.outcomes ?? {}).map(([oddity, outcome]) => [
			`${format.extension}/${oddity}.${format.extension}`,
			outcome,
		]),
	);
	return files.map((file) => ({ ...file, outcome: own.get(file.name) ?? file.outcome }));
}

/** Office file with a password: a Compound File that holds it encrypted. */
export const ENCRYPTED_OFFICE_FILE = createMsg({
	EncryptionInfo: new Uint8Array(64),
	EncryptedPackage: new Uint8Array(5_000),
});
