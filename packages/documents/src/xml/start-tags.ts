import { type FoundTag, findIncomplete, parseStartTag, type StartTag } from "./start-tag";
import { createNameCheck } from "./xml-characters";

/** Reader of the start tags of a file, which repeats most of them word for word: those are parsed once. */
export interface StartTags {
	/** Reads the tag that begins at an index; undefined where it is incomplete. @throws UnreadableError */
	read(source: string, start: number): FoundTag | undefined;
}

/** Bounds of the tags that are kept: their number, and the characters of each. */
const MAX_KNOWN_TAGS = 4_096;
const MAX_KNOWN_CHARACTERS = 100;

export function createStartTags(): StartTags {
	const known = new Map<string, StartTag>();
	const assertName = createNameCheck();
	return {
		read(source, start) {
			const sign = source.indexOf(">", start);
			if (sign === -1) return findIncomplete(source, start);
			if (sign - start > MAX_KNOWN_CHARACTERS) return parseStartTag(source, start, assertName);
			const text = source.slice(start, sign);
			const tag = known.get(text);
			if (tag !== undefined) return { tag, end: sign + 1 };
			const found = parseStartTag(source, start, assertName);
			// The first sign is not the end where it is within a value.
			if (found?.end !== sign + 1) return found;
			if (known.size >= MAX_KNOWN_TAGS) known.clear();
			known.set(text, found.tag);
			return found;
		},
	};
}
