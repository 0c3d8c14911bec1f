import type { Angle, DirectedText, TextItem } from "./layout/page-text";
import { type Matrix, multiply, toAngle, turnPoint } from "./turn-text";

/** Text of one font as PDF.js gives it. */
export interface RawItem {
	readonly str: string;
	readonly dir: string;
	readonly width: number;
	readonly height: number;
	readonly transform: readonly number[];
	readonly fontName: string;
}

export interface FontFacts {
	/** Shares of the font size, above and below the baseline; the latter is negative. */
	readonly ascent: number;
	readonly descent: number;
	readonly isBold: boolean;
	readonly isMonospaced: boolean;
}

export interface Viewport {
	readonly width: number;
	readonly height: number;
	readonly transform: readonly number[];
}

const DEFAULT_ASCENT = 0.8;
const DEFAULT_DESCENT = -0.2;

/** Facts of a font from its name, such as `ABCDEF+Calibri-Bold`. */
export function toFontFacts(name: string, metrics: { ascent?: number; descent?: number }): FontFacts {
	const { ascent = 0, descent = 0 } = metrics;
	const isUsable = ascent > 0.3 && ascent < 1.5 && descent <= 0 && descent > -1;
	return {
		ascent: isUsable ? ascent : DEFAULT_ASCENT,
		descent: isUsable ? descent : DEFAULT_DESCENT,
		isBold: /bold|black|heavy|demi|-medi(?!um)|CMBX/iu.test(name),
		isMonospaced: /mono|courier|consol|menlo|typewriter|CMTT|nimbusmon/iu.test(name),
	};
}

/** Sorts the items of a page by their directions. Blank ones and those beyond the page are left out. */
export function toDirections(
	items: readonly RawItem[],
	fonts: ReadonlyMap<string, FontFacts>,
	viewport: Viewport,
): DirectedText[] {
	const byAngle = new Map<Angle, TextItem[]>();
	for (const item of items) {
		const text = cleanText(item.str);
		if (text.trim() === "") continue;
		const matrix = multiply(toMatrix(viewport.transform), toMatrix(item.transform));
		const [, , , , x, y] = matrix;
		if (!(x >= -1 && y >= -1 && x <= viewport.width + 1 && y <= viewport.height + 1)) continue;
		const angle = toAngle(matrix);
		const turned = toItem(text, item, fonts.get(item.fontName) ?? toFontFacts("", {}), matrix, angle);
		const others = byAngle.get(angle);
		if (others === undefined) byAngle.set(angle, [turned]);
		else others.push(turned);
	}
	return [...byAngle]
		.map(([angle, directed]) => ({ angle, items: directed }))
		.sort((one, other) => other.items.length - one.items.length);
}

function toItem(text: string, item: RawItem, font: FontFacts, matrix: Matrix, angle: Angle): TextItem {
	const [, , c, d, shownX, shownY] = matrix;
	const fontSize = Math.hypot(c, d);
	const [x, baseline] = turnPoint(angle, shownX, shownY);
	return {
		text,
		x,
		y: baseline - font.ascent * fontSize,
		width: item.width,
		height: (font.ascent - font.descent) * fontSize,
		fontSize,
		isBold: font.isBold,
		isMonospaced: font.isMonospaced,
		isRightToLeft: item.dir === "rtl",
	};
}

function toMatrix([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): Matrix {
	return [a, b, c, d, e, f];
}

/** Bullets of symbol fonts that have no character of their own. */
const SYMBOL_BULLETS = /[\uF0A7\uF0B7\uF0D8\uF076\uF0FC\u25CF\uF06E\uF0A8]/gu;
/** Shapes of letters, alone and joined: Latin, Hebrew, Arabic. Text is searched by the letters themselves. */
const PRESENTATION_FORMS = /[\uFB00-\uFB06\uFB1D-\uFDFF\uFE70-\uFEFC]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F\uFEFF\u200B]/gu;

const cleanText = (text: string): string =>
	text
		.replace(PRESENTATION_FORMS, (form) => form.normalize("NFKC"))
		.replace(SYMBOL_BULLETS, "•")
		.replace(CONTROLS, "");
