import { damagedXml, type NameCheck, withReferences } from "./xml-characters";

/** Start tag, with the names that the file has. */
export interface StartTag {
	readonly name: string;
	readonly attributes: Readonly<Record<string, string>>;
	readonly attributeNames: readonly string[];
	/** Set where it ends its element, too: `<a/>`. */
	readonly isEmpty: boolean;
}

/** Start tag at a place of a file. */
export interface FoundTag {
	readonly tag: StartTag;
	/** Index after it. */
	readonly end: number;
}

const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const BLANKS = new Set([0x20, 0x09, 0x0d, 0x0a]);
/** Characters that end a name. */
const NAME_ENDS = new Set([...BLANKS, ...[..."\"'<>/=&"].map((sign) => sign.charCodeAt(0)), Number.NaN]);
/** Objects that inherit nothing, as an attribute can have any name; engines are faster with those than without a prototype. */
const NOTHING: object = Object.freeze(Object.create(null));

/** Parses the start tag at an index; undefined where it is incomplete. @throws UnreadableError */
export function parseStartTag(source: string, start: number, assertName: NameCheck): FoundTag | undefined {
	const attributes: Record<string, string> = Object.create(NOTHING);
	const attributeNames: string[] = [];
	const nameEnd = findNameEnd(source, start + 1);
	const name = source.slice(start + 1, nameEnd);
	assertName(name);
	for (let at = nameEnd; ; ) {
		const next = skipBlanks(source, at);
		const code = source.charCodeAt(next);
		const tagEnd = code === SLASH ? next + 1 : next;
		if (source.charCodeAt(tagEnd) === GREATER)
			return { tag: { name, attributes, attributeNames, isEmpty: code === SLASH }, end: tagEnd + 1 };
		const found = next === at ? undefined : findAttribute(source, next);
		if (found === undefined) return findIncomplete(source, start);
		assertName(found.name);
		if (attributes[found.name] !== undefined) throw damagedXml(`duplicate attribute: ${found.name}`);
		attributes[found.name] = toValue(found.value);
		attributeNames.push(found.name);
		at = found.end;
	}
}

interface FoundAttribute {
	readonly name: string;
	/** Value as it is written. */
	readonly value: string;
	/** Index after it. */
	readonly end: number;
}

function findAttribute(source: string, start: number): FoundAttribute | undefined {
	const nameEnd = findNameEnd(source, start);
	const sign = skipBlanks(source, nameEnd);
	if (nameEnd === start || source.charCodeAt(sign) !== EQUALS) return undefined;
	const open = skipBlanks(source, sign + 1);
	const quote = source.charCodeAt(open);
	if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) return undefined;
	const close = source.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", open + 1);
	if (close === -1) return undefined;
	const value = source.slice(open + 1, close);
	if (value.includes("<")) throw damagedXml("disallowed character in a value");
	return { name: source.slice(start, nameEnd), value, end: close + 1 };
}

function findNameEnd(source: string, start: number): number {
	let end = start;
	while (!isNameEnd(source.charCodeAt(end))) end += 1;
	return end;
}

/** Letters are above all of the ends. */
const isNameEnd = (code: number): boolean => !(code > GREATER) && NAME_ENDS.has(code);

function skipBlanks(source: string, start: number): number {
	let end = start;
	while (BLANKS.has(source.charCodeAt(end))) end += 1;
	return end;
}

/** A tag has no `<` in it: one that cannot be read is damaged where there is one behind it, else incomplete. */
export function findIncomplete(source: string, start: number): undefined {
	if (source.includes("<", start + 1)) throw damagedXml("disallowed character in a tag");
}

const CHANGED = /[&\t\r\n]/;

/** Value of an attribute: its line ends and tabs are blanks, unless they are written as references (XML 1.0, 3.3.3). */
const toValue = (written: string): string =>
	CHANGED.test(written) ? withReferences(written.replace(/\r\n|[\r\n\t]/gu, " ")) : written;
