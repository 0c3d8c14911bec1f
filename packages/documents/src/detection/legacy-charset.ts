import { TextDecoder } from "@exodus/bytes/encoding.js";
import { analyse } from "chardet";

/** Kind of script that a text in a legacy encoding must be written in, so that the encoding is believed. */
interface ScriptTest {
	readonly letter: RegExp;
	/** Letters that must be a part of these, such as kana in Japanese, and the part. */
	readonly mark?: { readonly letter: RegExp; readonly share: number };
}

const HAN = /\p{Script=Han}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const JAPANESE: ScriptTest = {
	letter: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
	mark: { letter: KANA, share: 0.1 },
};
const CHINESE: ScriptTest = { letter: HAN };
const KOREAN: ScriptTest = {
	letter: /[\p{Script=Hangul}\p{Script=Han}]/gu,
	mark: { letter: /\p{Script=Hangul}/gu, share: 0.5 },
};
const CYRILLIC: ScriptTest = { letter: /\p{Script=Cyrillic}/gu };
const GREEK: ScriptTest = { letter: /\p{Script=Greek}/gu };

/** Encodings that are told apart from windows-1252 by their script. */
const SCRIPT_BY_ENCODING: ReadonlyMap<string, ScriptTest> = new Map([
	["Shift_JIS", JAPANESE],
	["EUC-JP", JAPANESE],
	["ISO-2022-JP", JAPANESE],
	["EUC-KR", KOREAN],
	["Big5", CHINESE],
	["GB18030", CHINESE],
	["windows-1251", CYRILLIC],
	["KOI8-R", CYRILLIC],
	["ISO-8859-5", CYRILLIC],
	["windows-1253", GREEK],
	["ISO-8859-7", GREEK],
]);

const SAMPLE_BYTES = 65_536;
/** Fewer letters are too few to tell. */
const MIN_LETTERS = 4;
/** Share of the script's letters that must stand beside another: accents of western words that look like one do not. */
const MIN_NEIGHBOUR_SHARE = 0.8;
/** Share of the letters that may be a capital after a small one: the sign of a wrong encoding of the right script. */
const MAX_CASE_CHANGE_SHARE = 0.05;
/** Confidence of the detector from which it is believed, of 100. */
const MIN_CONFIDENCE = 10;

/** East Asian, Cyrillic or Greek encoding of text that is not UTF-8, if it is clearly one. */
export function findLegacyEncoding(bytes: Uint8Array): string | undefined {
	const start = Math.max(
		0,
		bytes.findIndex((byte) => byte >= 0x80 || byte === 0x1b),
	);
	const sample = bytes.subarray(start, start + SAMPLE_BYTES);
	for (const { name, confidence } of analyse(sample)) {
		const script = SCRIPT_BY_ENCODING.get(name);
		if (script === undefined || confidence < MIN_CONFIDENCE) continue;
		if (isWrittenIn(new TextDecoder(name).decode(sample), script)) return name;
	}
	return undefined;
}

function isWrittenIn(text: string, { letter, mark }: ScriptTest): boolean {
	const letters = count(text, letter);
	if (letters < MIN_LETTERS || count(text, /[\ufffd\p{Co}\p{Cn}]/gu) > letters / 100) return false;
	if (count(text, /[^\P{Ll}a-z][^\P{Lu}A-Z]/gu) > letters * MAX_CASE_CHANGE_SHARE) return false;
	if (mark !== undefined && count(text, mark.letter) < letters * mark.share) return false;
	const joined = text.match(new RegExp(`(?:${letter.source}){2,}`, "gu")) ?? [];
	return joined.reduce((sum, { length }) => sum + length, 0) >= letters * MIN_NEIGHBOUR_SHARE;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
