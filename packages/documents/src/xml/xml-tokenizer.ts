import { UnreadableError } from "../unreadable-error";
import type { StartTag } from "./start-tag";
import { createStartTags } from "./start-tags";
import { assertCharacters, assertName, damagedXml, withLineEnds, withReferences } from "./xml-characters";

/** Callbacks for the parts of an XML file, in the order of the file, with the names that it has. */
export interface XmlTokenHandler {
	open(tag: StartTag): void;
	/** The last element that is open ends. */
	close(): void;
	/** Text between two tags or comments, or a CDATA section. */
	text(text: string): void;
	/** Checks whether an element may be one that the file repeats word for word. Default: none. */
	isRepeated?(tag: StartTag): boolean;
	/**
	 * Takes an element with all that is in it, instead of its parts.
	 *
	 * @param text - from its start tag to the next end tag of its name. @returns false where it is to be read by its parts.
	 */
	repeated?(text: string): boolean;
}

/** Maximum length of an element that is looked up as a repeated one. */
const MAX_REPEATED_CHARACTERS = 4_096;

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;
const BYTE_ORDER_MARK = "\ufeff";
const COMMENT = "<!--";
const CDATA = "<![CDATA[";
const DOCTYPE = "<!DOCTYPE";
const DOCTYPE_AT = /<!DOCTYPE(?:[^"'>[]|"[^"]*"|'[^']*')*[>[]/y;
const DECLARATION =
	/^xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(["'])1\.\d+\1(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(["'])[A-Za-z][\w.-]*\2)?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(["'])(?:yes|no)\3)?[ \t\r\n]*$/u;

/**
 * Tokenizer of XML 1.0 for a file that comes in pieces. It checks that the file is well-formed; entities but the five of
 * XML are refused.
 */
export class XmlTokenizer {
	readonly #handler: XmlTokenHandler;
	readonly #tags = createStartTags();
	/** Names of the elements that are open. */
	readonly #open: string[] = [];
	/** Text that is not read: the start of a token. */
	#rest = "";
	/** Length of the rest at which it is looked at again, so that a long token is not looked at with each piece. */
	#minLength = 0;
	#isAtStart = true;
	#hasDoctype = false;
	#hasRoot = false;

	constructor(handler: XmlTokenHandler) {
		this.#handler = handler;
	}

	/** @throws UnreadableError where it is not well-formed. */
	write(piece: string): void {
		assertCharacters(piece);
		this.#rest += piece;
		if (this.#rest.length >= this.#minLength) this.#readTokens();
	}

	/** @throws UnreadableError where the file is incomplete. */
	close(): void {
		this.#readTokens();
		if (this.#rest.includes("<")) throw damagedXml("unexpected end");
		this.#addText(this.#rest);
		const unclosed = this.#open.at(-1);
		if (unclosed !== undefined) throw damagedXml(`unclosed tag: ${unclosed}`);
		if (!this.#hasRoot) throw damagedXml("document must contain a root element");
	}

	#readTokens(): void {
		const source = this.#rest;
		let start = this.#isAtStart && source.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
		while (start < source.length) {
			const end = this.#readToken(source, start);
			if (end === undefined) break;
			this.#isAtStart = false;
			start = end;
		}
		this.#rest = source.slice(start);
		this.#minLength = 2 * this.#rest.length;
	}

	/** Reads the token at an index. @returns the index after it; undefined where it is incomplete. */
	#readToken(source: string, start: number): number | undefined {
		if (source.charCodeAt(start) !== LESS) return this.#readText(source, start);
		switch (source.charCodeAt(start + 1)) {
			case SLASH:
				return this.#readEndTag(source, start);
			case EXCLAMATION:
				return this.#readMarkup(source, start);
			case QUESTION:
				return this.#readInstruction(source, start);
			default:
				return this.#readStartTag(source, start);
		}
	}

	#readText(source: string, start: number): number | undefined {
		const end = source.indexOf("<", start);
		if (end === -1) return undefined;
		this.#addText(source.slice(start, end));
		return end;
	}

	#addText(text: string): void {
		if (this.#open.length === 0) {
			if (/[^ \t\r\n]/u.test(text)) throw damagedXml("text data outside of root node");
			return;
		}
		if (text.includes("]]>")) throw damagedXml('the string "]]>" is disallowed in char data');
		this.#handler.text(withReferences(withLineEnds(text)));
	}

	#readStartTag(source: string, start: number): number | undefined {
		const found = this.#tags.read(source, start);
		if (found === undefined) return undefined;
		const { tag, end } = found;
		if (this.#open.length === 0 && this.#hasRoot) throw damagedXml("documents may contain only one root");
		this.#hasRoot = true;
		const elementEnd = this.#readRepeated(source, start, tag);
		if (elementEnd !== undefined) return elementEnd;
		this.#handler.open(tag);
		if (tag.isEmpty) this.#handler.close();
		else this.#open.push(tag.name);
		return end;
	}

	#readRepeated(source: string, start: number, tag: StartTag): number | undefined {
		if (tag.isEmpty || this.#open.length === 0 || !this.#handler.isRepeated?.(tag)) return undefined;
		const endTag = `</${tag.name}>`;
		const end = source.indexOf(endTag, start) + endTag.length;
		if (end < endTag.length || end - start > MAX_REPEATED_CHARACTERS) return undefined;
		return this.#handler.repeated?.(source.slice(start, end)) ? end : undefined;
	}

	#readEndTag(source: string, start: number): number | undefined {
		const end = source.indexOf(">", start);
		if (end === -1) return undefined;
		const name = this.#open.pop() ?? "";
		const length = end - start - 2;
		const isEnd =
			name !== "" &&
			source.startsWith(name, start + 2) &&
			(length === name.length || /^[ \t\r\n]+$/u.test(source.slice(start + 2 + name.length, end)));
		if (!isEnd) throw damagedXml("unexpected close tag");
		this.#handler.close();
		return end + 1;
	}

	/** Reads a comment, a CDATA section or a document type. */
	#readMarkup(source: string, start: number): number | undefined {
		if (source.startsWith(COMMENT, start)) return findCommentEnd(source, start + COMMENT.length);
		if (source.startsWith(CDATA, start)) return this.#readCdata(source, start + CDATA.length);
		if (source.startsWith(DOCTYPE, start)) return this.#readDoctype(source, start);
		if (source.length - start >= DOCTYPE.length) throw damagedXml("incorrect syntax");
		return undefined;
	}

	#readCdata(source: string, start: number): number | undefined {
		if (this.#open.length === 0) throw damagedXml("text data outside of root node");
		const end = source.indexOf("]]>", start);
		if (end === -1) return undefined;
		this.#handler.text(withLineEnds(source.slice(start, end)));
		return end + 3;
	}

	#readDoctype(source: string, start: number): number | undefined {
		if (this.#hasDoctype || this.#hasRoot) throw damagedXml("inappropriately located doctype declaration");
		DOCTYPE_AT.lastIndex = start;
		const match = DOCTYPE_AT.exec(source);
		if (match === null) return undefined;
		if (match[0].includes("[")) throw new UnreadableError("its XML declares entities, which are not read");
		this.#hasDoctype = true;
		return DOCTYPE_AT.lastIndex;
	}

	/** Reads a processing instruction or the declaration of the file, which say nothing here. */
	#readInstruction(source: string, start: number): number | undefined {
		const end = source.indexOf("?>", start + 2);
		if (end === -1) return undefined;
		const content = source.slice(start + 2, end);
		if (!(this.#isAtStart && DECLARATION.test(content))) {
			const [target = ""] = content.split(/[ \t\r\n]/u, 1);
			assertName(target);
			if (target.toLowerCase() === "xml")
				throw damagedXml("XML declaration is malformed or not at the start");
		}
		return end + 2;
	}
}

/** Index after a comment; it must not contain `--`. */
function findCommentEnd(source: string, start: number): number | undefined {
	const end = source.indexOf("--", start);
	if (end === -1 || end + 2 >= source.length) return undefined;
	if (source.charCodeAt(end + 2) !== GREATER) throw damagedXml("malformed comment");
	return end + 3;
}
