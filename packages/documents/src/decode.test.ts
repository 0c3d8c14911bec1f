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

	it("keeps the rest of a page with a few broken bytes", () => {
		expect(decodeHtml(bytes("<meta charset=euc-kr>", KOREAN, [0xff], KOREAN))).toContain("한글\ufffd한글");
	});
});
