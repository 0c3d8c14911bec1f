import type { Json } from "../json";

/** Characters without a visible form: default-ignorable characters, bidi controls, tags and interlinear annotations. */
const HIDDEN =
	// biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them by itself is meant
	/[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const CONTROLS = /[\0-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Printable ASCII, tabs and line feeds alone, as most text is: nothing to look for. */
const IS_PLAIN = /^[\t\n -~]*$/;

/** Letters and marks that join or are written from the right; of emoji, what joins with others. */
const RIGHT_TO_LEFT =
	/[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const JOINING =
	/[\u0600-\u109f\u1780-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc\u{10a00}-\u{11fff}\u{1e900}-\u{1e95f}]/u;
const EMOJI = /[\u00a9\u00ae\u203c-\u3299\u{1f000}-\u{1faff}]/u;
const HAN = /[\u2e80-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u;
const MONGOLIAN = /[\u1800-\u18af]/;
/** Digits of keycaps, and what is beyond ASCII. */
const HAS_VARIANTS = /[#*0-9\u00a9-\u{10ffff}]/u;
const REGION = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}$/u;

/**
 * Text as a person or a model may be shown it: what cannot be seen in it is taken out, and what is spelled in it (with tag
 * characters, or bytes as variation selectors) is written as `[hidden: …]`. Control characters go, but for tabs and line
 * feeds (which carriage returns become), and so do bidi controls. What scripts and emoji need stays: joiners, variation
 * selectors, flags, and marks of direction where text is written from the right.
 *
 * @param isRightToLeft - whether anything around it is written from the right. Default: whether it has such letters.
 */
export function visibleText(text: string, isRightToLeft?: boolean): string {
	if (IS_PLAIN.test(text) || (text.search(HIDDEN) < 0 && text.search(CONTROLS) < 0)) return text;
	const hasRightToLeft = isRightToLeft ?? RIGHT_TO_LEFT.test(text);
	const plain = text.replace(/\r\n?/g, "\n").replace(CONTROLS, "");
	return plain.replace(HIDDEN, (run, at: number, whole: string) => {
		const before = whole.slice(Math.max(0, at - 2), at);
		const previous = [...before].at(-1) ?? "";
		const next = String.fromCodePoint(whole.codePointAt(at + run.length) ?? 0);
		if (isNeeded(run, previous, next, hasRightToLeft)) return run;
		const decoded = decodeHidden(run);
		return decoded === "" ? "" : `[hidden: ${decoded}]`;
	});
}

/** A JSON value with every text in it, names too, as {@link visibleText} shows it. */
export function visibleJson(value: Json): Json {
	if (typeof value === "string") return visibleText(value);
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map(visibleJson);
	return Object.fromEntries(
		Object.entries(value).map(([name, part]) => [visibleText(name), visibleJson(part)]),
	);
}

/** True for what a script or an emoji is written with. */
function isNeeded(run: string, previous: string, next: string, isRightToLeft: boolean): boolean {
	if (previous === "\u{1f3f4}" && REGION.test(run)) return true;
	if (/^[\ufe0e\ufe0f]?\u200d$/.test(run) && EMOJI.test(previous) && EMOJI.test(next)) return true;
	if (/^[\u200c\u200d]$/.test(run)) return JOINING.test(previous) || JOINING.test(next);
	if (/^[\u200e\u200f\u061c]$/.test(run)) return isRightToLeft;
	if (/^[\ufe00-\ufe0f]$/.test(run)) return HAS_VARIANTS.test(previous);
	if (/^[\u{e0100}-\u{e01ef}]$/u.test(run)) return HAN.test(previous);
	return /^[\u180b-\u180f]$/.test(run) && MONGOLIAN.test(previous);
}

/** The printable ASCII that tags, or bytes as variation selectors, stand for. */
const decodeHidden = (run: string): string =>
	[...run]
		.map((character) => String.fromCharCode(toByte(character.codePointAt(0) ?? 0)))
		.filter((character) => character >= " " && character <= "~")
		.join("")
		// No quote that ends a string of JSON which is shown as text.
		.replaceAll('"', "'")
		.replaceAll("\\", "/");

function toByte(code: number): number {
	if (code >= 0xfe00 && code <= 0xfe0f) return code - 0xfe00;
	if (code >= 0xe0100 && code <= 0xe01ef) return code - 0xe0100 + 16;
	return code >= 0xe0020 && code <= 0xe007e ? code - 0xe0000 : 0;
}
