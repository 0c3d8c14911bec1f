/** Token of RTF. Text is one character for each byte; its charset is known to the reader alone. */
export type RtfToken =
	| { readonly kind: "open" }
	| { readonly kind: "close" }
	| { readonly kind: "word"; readonly name: string; readonly value: number | undefined }
	/** `\~`, `\*`, `\{`: a backslash and a character that is no letter. */
	| { readonly kind: "symbol"; readonly symbol: string }
	| { readonly kind: "text"; readonly text: string };

const OPEN = { kind: "open" } as const;
const CLOSE = { kind: "close" } as const;

const TEXT = /[^\\{}\r\n]+/y;
const WORD = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?/y;
const HEX = /\\'([0-9a-fA-F]{2})/y;

/** Splits RTF into tokens. @param source - one character for each byte. */
export function* readRtfTokens(source: string): Generator<RtfToken> {
	let at = 0;
	const match = (pattern: RegExp): RegExpExecArray | null => {
		pattern.lastIndex = at;
		const found = pattern.exec(source);
		if (found !== null) at = pattern.lastIndex;
		return found;
	};
	while (at < source.length) {
		const text = match(TEXT);
		if (text !== null) {
			yield { kind: "text", text: text[0] };
			continue;
		}
		const hex = match(HEX);
		if (hex !== null) {
			yield { kind: "text", text: String.fromCharCode(Number.parseInt(hex[1] ?? "", 16)) };
			continue;
		}
		const word = match(WORD);
		if (word !== null) {
			const value = word[2] === undefined ? undefined : Number(word[2]);
			// Binary data follow as they are.
			if (word[1] === "bin") at += Math.max(0, value ?? 0);
			else yield { kind: "word", name: word[1] ?? "", value };
			continue;
		}
		const character = source[at] ?? "";
		at += 1;
		if (character === "{") yield OPEN;
		else if (character === "}") yield CLOSE;
		else if (character === "\\") yield { kind: "symbol", symbol: source[at++] ?? "" };
	}
}
