/** The line that opens a code fence, wherever it is. */
const FENCE_START = /```(?:json)?[\t ]*\n/i;
const FENCE_END = /\n[\t ]*```/;
const LEADING_FENCE = /^\s*```(?:json)?[\t ]*\n/i;
const TRAILING_FENCE = /\s*`{0,3}\s*$/;
/** Characters that are looked at to recognise an opening or a closing: a reply of white space alone stays linear. */
const MAX_FENCE_CHARACTERS = 64;

/** The JSON of a reply: models that were only told in words to write JSON like to wrap it in a code fence. */
export function unwrapJson(text: string): string {
	if (isJson(text)) return text;
	const start = FENCE_START.exec(text);
	if (start === null) return text;
	const inner = text.slice(start.index + start[0].length);
	const end = FENCE_END.exec(inner);
	return end === null ? text : inner.slice(0, end.index);
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Takes a fence off a text that comes in pieces. */
export interface JsonUnwrapper {
	/** Adds a piece and returns the text that can be passed on now. */
	push(piece: string): string;
	/** Returns the text that was held back until the end. */
	end(): string;
}

/** A text that does not begin with a fence is handed on as it is. */
export function createJsonUnwrapper(): JsonUnwrapper {
	let buffer = "";
	let state: "detecting" | "plain" | "fenced" = "detecting";

	function detectFence(): void {
		const start = buffer.trimStart();
		if (LEADING_FENCE.test(buffer)) {
			buffer = buffer.replace(LEADING_FENCE, "");
			state = "fenced";
		} else if (buffer.length > MAX_FENCE_CHARACTERS || !"```json".startsWith(start.trimEnd().toLowerCase()))
			state = "plain";
	}

	return {
		push(piece) {
			buffer += piece;
			if (state === "detecting") detectFence();
			if (state === "detecting") return "";
			const kept = state === "fenced" ? trailingFenceLength(buffer) : 0;
			const ready = buffer.slice(0, buffer.length - kept);
			buffer = buffer.slice(buffer.length - kept);
			return ready;
		},
		end: () => (state === "fenced" ? buffer.replace(/\s*```\s*$/, "") : buffer),
	};
}

/** Counts the characters at the end that are, or may become, a closing fence. */
const trailingFenceLength = (text: string): number =>
	TRAILING_FENCE.exec(text.slice(-MAX_FENCE_CHARACTERS))?.[0].length ?? 0;
