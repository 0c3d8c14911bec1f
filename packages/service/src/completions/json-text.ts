/** A fence around JSON, with what stands before it. */
const FENCED = /```(?:json)?[\t ]*\n([\s\S]*?)\n[\t ]*```/i;
const OPENING = /^\s*```(?:json)?[\t ]*\n/i;
/** The end of a text that may be, or become, the end of a fence. */
const CLOSING = /\s*`{0,3}\s*$/;

/** The JSON of a reply: models that were only told in words to write JSON like to wrap it in a code fence. */
export function unwrapJson(text: string): string {
	if (isJson(text)) return text;
	const [, inner = text] = FENCED.exec(text) ?? [];
	return inner;
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
	/** What can be handed on now. */
	push(piece: string): string;
	/** What was held back until the end. */
	end(): string;
}

/** A text that does not begin with a fence is handed on as it is. */
export function createJsonUnwrapper(): JsonUnwrapper {
	let held = "";
	let form: "unknown" | "plain" | "fenced" = "unknown";

	function decide(): void {
		const start = held.trimStart();
		if (OPENING.test(held)) {
			held = held.replace(OPENING, "");
			form = "fenced";
		} else if (start !== "" && !"```json".startsWith(start.trimEnd().toLowerCase())) form = "plain";
	}

	return {
		push(piece) {
			held += piece;
			if (form === "unknown") decide();
			if (form === "unknown") return "";
			const kept = form === "fenced" ? (CLOSING.exec(held)?.[0].length ?? 0) : 0;
			const ready = held.slice(0, held.length - kept);
			held = held.slice(held.length - kept);
			return ready;
		},
		end: () => (form === "fenced" ? held.replace(/\s*```\s*$/, "") : held),
	};
}
