import { UnreadableError } from "../unreadable-error";

/** @param reason - as a sentence without its full stop. */
export const damagedXml = (reason: string): UnreadableError =>
	new UnreadableError(`its XML is damaged (${reason}.)`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML 1.0 does not allow (section 2.2).
const DISALLOWED = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

/** @throws UnreadableError for a text with characters that XML does not allow. */
export function assertCharacters(text: string): void {
	if (DISALLOWED.test(text)) throw damagedXml("disallowed character");
}

const NAME_START =
	":A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}";
/** Name of an element or attribute (XML 1.0, section 2.3). */
const NAME = new RegExp(
	`^[${NAME_START}][${NAME_START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*$`,
	"u",
);

/** @throws UnreadableError for what is no name. */
export type NameCheck = (name: string) => void;

/** Maximum number of names that are known to be some. */
const MAX_KNOWN_NAMES = 4_096;

/** Check of names that looks at each of a file once. */
export function createNameCheck(): NameCheck {
	const known = new Set<string>();
	return (name) => {
		if (known.has(name)) return;
		assertName(name);
		if (known.size < MAX_KNOWN_NAMES) known.add(name);
	};
}

/** @throws UnreadableError for what is no name. */
export function assertName(name: string): void {
	if (!NAME.test(name)) throw damagedXml("disallowed character in a name");
}

/** Line ends of all systems as a single one (XML 1.0, section 2.11). */
export const withLineEnds = (text: string): string =>
	text.includes("\r") ? text.replace(/\r\n?/gu, "\n") : text;

const REFERENCE = /&([^;]*)(;?)/gu;
const ENTITIES: ReadonlyMap<string, string> = new Map([
	["lt", "<"],
	["gt", ">"],
	["amp", "&"],
	["quot", '"'],
	["apos", "'"],
]);

/** Text with the characters that its references name. @throws UnreadableError for a reference to anything else. */
export const withReferences = (text: string): string =>
	text.includes("&")
		? text.replace(REFERENCE, (_, name: string, end: string) => resolveReference(end === "" ? "" : name))
		: text;

function resolveReference(name: string): string {
	const character = ENTITIES.get(name) ?? toCharacter(name);
	if (character === undefined) throw damagedXml("undefined entity");
	return character;
}

/** Character by its number: `#65`, `#x41`. */
function toCharacter(name: string): string | undefined {
	const [, decimal, hexadecimal = ""] = /^#(?:([0-9]+)|x([0-9a-fA-F]+))$/u.exec(name) ?? [];
	const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
	const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
	if (!isCharacter) return undefined;
	const character = String.fromCodePoint(code);
	return DISALLOWED.test(character) ? undefined : character;
}
