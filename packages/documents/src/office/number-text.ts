const ROMAN: readonly (readonly [number, string])[] = [
	[1000, "m"],
	[900, "cm"],
	[500, "d"],
	[400, "cd"],
	[100, "c"],
	[90, "xc"],
	[50, "l"],
	[40, "xl"],
	[10, "x"],
	[9, "ix"],
	[5, "v"],
	[4, "iv"],
	[1, "i"],
];
const MAX_ROMAN = 4_000;
const MAX_LETTERS = 26 * 26;

/** A number in a format of OOXML or ODF: `decimal`, `lowerRoman`, `i`, `A`, …; in others as digits. */
export function toNumberText(value: number, format: string): string {
	switch (format) {
		case "none":
		case "":
			return "";
		case "lowerLetter":
		case "a":
			return toLetters(value);
		case "upperLetter":
		case "A":
			return toLetters(value).toUpperCase();
		case "lowerRoman":
		case "i":
			return toRoman(value);
		case "upperRoman":
		case "I":
			return toRoman(value).toUpperCase();
		case "decimalZero":
			return String(value).padStart(2, "0");
		default:
			return String(value);
	}
}

/** Word counts a, …, z, aa, bb, … */
function toLetters(value: number): string {
	if (value < 1 || value > MAX_LETTERS) return String(value);
	return String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

function toRoman(value: number): string {
	if (value < 1 || value >= MAX_ROMAN) return String(value);
	let rest = value;
	let text = "";
	for (const [amount, letters] of ROMAN)
		while (rest >= amount) {
			text += letters;
			rest -= amount;
		}
	return text;
}
