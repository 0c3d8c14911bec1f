import { describe, expect, it } from "vitest";
import { decodeHtml, decodeText } from "./decode";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
	Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part)] : part)));
/** 한글 in EUC-KR. */
const KOREAN = [0xc7, 0xd1, 0xb1, 0xdb];

describe("decodeText", () => {
	it("reads UTF-8 with and without a byte order mark", () => {
		expect(decodeText(bytes("grün"))).toBe("grün");
		expect(decodeText(bytes([0xef, 0xbb, 0xbf], "grün"))).toBe("grün");
	});

	it("reads UTF-16 by its byte order mark", () => {
		expect(decodeText(bytes([0xff, 0xfe, 0x41, 0, 0xfc, 0]))).toBe("Aü");
		expect(decodeText(bytes([0xfe, 0xff, 0, 0x41, 0, 0xfc]))).toBe("Aü");
	});

	it("takes what is not UTF-8 for windows-1252, quotation marks included", () => {
		expect(decodeText(bytes([0x93], "gr", [0xfc], "n", [0x94, 0x20, 0x80, 0x92]))).toBe("“grün” €’");
	});

	it("does not guess against a byte order mark", () => {
		expect(() => decodeText(bytes([0xff, 0xfe, 0x41]))).toThrow("not valid UTF-16LE");
		expect(() => decodeText(bytes([0xef, 0xbb, 0xbf, 0xff]))).toThrow("not valid UTF-8");
	});
});

describe("decodeHtml", () => {
	it.each([
		['<meta charset="euc-kr">'],
		['<meta http-equiv="Content-Type" content="text/html; charset=EUC-KR">'],
		['<?xml version="1.0" encoding="EUC-KR"?>'],
	])("reads what %s declares", (declaration) => {
		expect(decodeHtml(bytes(declaration, KOREAN))).toBe(`${declaration}한글`);
	});

	it("reads ISO-8859-1", () => {
		expect(decodeHtml(bytes("<meta charset=iso-8859-1>gr", [0xfc], "n"))).toContain("grün");
	});

	it("prefers the byte order mark to the declaration", () => {
		expect(decodeHtml(bytes([0xef, 0xbb, 0xbf], "<meta charset=euc-kr>grün"))).toContain("grün");
	});

	it("without a declaration tries UTF-8, then windows-1252", () => {
		expect(decodeHtml(bytes("<p>grün"))).toBe("<p>grün");
		expect(decodeHtml(bytes("<p>gr", [0xfc], "n"))).toBe("<p>grün");
	});

	it("reads a page that declares UTF-8 and is not", () => {
		expect(decodeHtml(bytes("<meta charset=utf-8>gr", [0xfc], "n"))).toContain("grün");
	});

	it("reads a page after one of the same encoding that ends within a character", () => {
		expect(decodeHtml(bytes("<meta charset=euc-kr>", KOREAN, [0xc7]))).toContain("한글\ufffd");
		expect(decodeHtml(bytes("<meta charset=euc-kr>", KOREAN))).toBe("<meta charset=euc-kr>한글");
	});

	it("keeps the rest of a page with a few broken bytes", () => {
		expect(decodeHtml(bytes("<meta charset=euc-kr>", KOREAN, [0xff], KOREAN))).toContain("한글\ufffd한글");
	});
});

const RUSSIAN = "Настройки применяются после перезапуска сервера.\n";
const KOI8_LOWER = "юабцдефгхийклмнопярстужвьызшэщчъ";

const wide = (text: string, size: 2 | 4, isLittleEndian: boolean): Uint8Array => {
	const points =
		size === 4 ? [...text].map((one) => one.codePointAt(0) ?? 0) : [...text].map((one) => one.charCodeAt(0));
	const view = new DataView(new ArrayBuffer(points.length * size));
	for (const [index, point] of points.entries()) {
		if (size === 4) view.setUint32(index * 4, point, isLittleEndian);
		else view.setUint16(index * 2, point, isLittleEndian);
	}
	return new Uint8Array(view.buffer);
};

describe("decodeText without a byte order mark", () => {
	const TEXTS = [
		"Refunds are paid in 14 days.\n",
		"Größe: 4 m²\r\n",
		RUSSIAN,
		"返金は14日以内に行われます。\n",
	];

	it.each(
		TEXTS.flatMap((text) =>
			[2, 4].flatMap((size) => [true, false].map((little) => [text, size, little] as const)),
		),
	)("reads %j in units of %i bytes, little endian: %s", (text, size, isLittleEndian) => {
		expect(decodeText(wide(text, size === 2 ? 2 : 4, isLittleEndian))).toBe(text);
		expect(decodeHtml(wide(`<p>${text}`, size === 2 ? 2 : 4, isLittleEndian))).toBe(`<p>${text}`);
	});

	it("reads UTF-32 with its byte order mark, characters beyond 16 bits included", () => {
		expect(decodeText(wide("\ufeffA😀", 4, true))).toBe("A😀");
		expect(decodeText(wide("\ufeffA😀", 4, false))).toBe("A😀");
		expect(() => decodeText(bytes([0, 0, 0xfe, 0xff, 0, 0x11, 0, 0]))).toThrow("not valid UTF-32BE");
	});

	it("leaves what is no text as it is, for the complaint about binary data", () => {
		const noise = Uint8Array.from({ length: 4_096 }, (_, index) => (index * index * 7 + index) % 256);
		expect(decodeText(noise)).toContain("\0");
	});
});

describe("decodeText in an encoding of a country", () => {
	it.each([
		["EUC-KR", [0xc7, 0xd1, 0xb1, 0xdb, 0xc0, 0xba, 0x20, 0xbb, 0xf3, 0xc7, 0xb0], "한글은 상품"],
		["Shift_JIS", [0x82, 0xb1, 0x82, 0xcc, 0x8f, 0xa4, 0x95, 0x69, 0x82, 0xcd], "この商品は"],
		["ISO-2022-JP", "\u001b$B$3$N>&IJ$O\u001b(B", "この商品は"],
	])("reads %s", (_encoding, content, text) => {
		expect(decodeText(bytes(content))).toBe(text);
	});

	it("reads windows-1251 and KOI8-R", () => {
		const lower = RUSSIAN.toLowerCase();
		const encode = (toByte: (letter: string) => number) =>
			bytes([...lower].map((one) => (one.charCodeAt(0) < 128 ? one.charCodeAt(0) : toByte(one))));
		expect(decodeText(encode((letter) => letter.charCodeAt(0) - 0x430 + 0xe0))).toBe(lower);
		expect(decodeText(encode((letter) => KOI8_LOWER.indexOf(letter) + 0xc0))).toBe(lower);
	});

	it.each([
		"Größe: über 3 Stück für Ölöfen",
		"Été à Saint-Étienne, où l’été déçoit",
		"¿Dónde está el añojo?",
	])("keeps %j in windows-1252", (text) => {
		const encoded = [...text].map((one) => (one === "’" ? 0x92 : one.charCodeAt(0)));
		expect(decodeText(bytes(encoded))).toBe(text);
	});
});
