import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { decodeHtml } from "@stemma/documents/containers";
import { type Token, Tokenizer, TokenizerMode } from "parse5";
import { toPageAddress } from "./page-address";

/** Links of a page, and its wishes to crawlers. */
export interface PageLinks {
	/** Addresses that it links to, each once; none where it asks that they are not followed. */
	readonly links: readonly URL[];
	/** Address of which this page is a copy, as it says itself. */
	readonly canonical: URL | undefined;
	readonly isNoIndex: boolean;
}

/** Maximum number of links that are taken from one page. */
export const MAX_PAGE_LINKS = 5_000;
/** Part of a page whose links are read. */
export const MAX_LINKED_BYTES = 2 * 1024 * 1024;
/** Size of the pieces between which other work of the process has its turn. */
const CHUNK_CHARACTERS = 32 * 1024;

/** Elements whose content is no markup, as the parser of HTML knows it. */
const TEXT_MODES: Readonly<Record<string, number | undefined>> = {
	title: TokenizerMode.RCDATA,
	textarea: TokenizerMode.RCDATA,
	style: TokenizerMode.RAWTEXT,
	xmp: TokenizerMode.RAWTEXT,
	iframe: TokenizerMode.RAWTEXT,
	noembed: TokenizerMode.RAWTEXT,
	noframes: TokenizerMode.RAWTEXT,
	script: TokenizerMode.SCRIPT_DATA,
	plaintext: TokenizerMode.PLAINTEXT,
};

/**
 * Reads the links of a page from its tags alone, in pieces: there is no tree, so that neither its size nor its nesting
 * matters.
 *
 * @param robotsHeader - header `x-robots-tag`, which counts as the page's own word.
 */
export async function readPageLinks(
	bytes: Uint8Array,
	address: URL,
	robotsHeader: string | null,
): Promise<PageLinks> {
	const page: OpenPage = {
		base: address,
		hasBase: false,
		hrefs: [],
		canonical: undefined,
		robots: [readRobotsHeader(robotsHeader ?? "")],
	};
	const html = decodePage(bytes);
	const tokenizer = new Tokenizer({}, { ...NO_HANDLERS, onStartTag });
	function onStartTag(tag: Token.TagToken): void {
		addTag(page, tag);
		const mode = TEXT_MODES[tag.tagName];
		if (mode !== undefined && !tag.selfClosing) tokenizer.state = mode as typeof tokenizer.state;
	}
	for (let start = 0; start < html.length; start += CHUNK_CHARACTERS) {
		tokenizer.write(html.slice(start, start + CHUNK_CHARACTERS), start + CHUNK_CHARACTERS >= html.length);
		if (html.length > CHUNK_CHARACTERS) await setImmediate();
	}
	return toPageLinks(page);
}

/** Part of a page that is in an older encoding: to recognise it takes longer. */
const MAX_LEGACY_BYTES = 256 * 1024;

function decodePage(bytes: Uint8Array): string {
	const part = cutAfterTag(bytes, MAX_LINKED_BYTES);
	return isUtf8(part) ? new TextDecoder().decode(part) : decodeHtml(cutAfterTag(bytes, MAX_LEGACY_BYTES));
}

const cutAfterTag = (bytes: Uint8Array, maxBytes: number): Uint8Array =>
	bytes.length <= maxBytes ? bytes : bytes.subarray(0, bytes.lastIndexOf(TAG_END, maxBytes) + 1);

const TAG_END = 0x3e;

interface OpenPage {
	base: URL;
	hasBase: boolean;
	readonly hrefs: string[];
	canonical: string | undefined;
	/** Directives to crawlers. */
	readonly robots: string[];
}

const ignore = (): void => undefined;
const NO_HANDLERS = {
	onComment: ignore,
	onDoctype: ignore,
	onEndTag: ignore,
	onEof: ignore,
	onCharacter: ignore,
	onNullCharacter: ignore,
	onWhitespaceCharacter: ignore,
};

function addTag(page: OpenPage, { tagName, attrs }: Token.TagToken): void {
	const get = (name: string): string => attrs.find((attribute) => attribute.name === name)?.value ?? "";
	if (tagName === "a" || tagName === "area") addLink(page, get("href"), get("rel"));
	else if (tagName === "frame") addLink(page, get("src"), "");
	else if (tagName === "link" && hasWord(get("rel"), "canonical")) page.canonical ??= get("href");
	else if (tagName === "meta") addMeta(page, get("name"), get("http-equiv"), get("content"));
	else if (tagName === "base" && !page.hasBase && get("href") !== "") {
		page.hasBase = true;
		page.base = URL.parse(get("href"), page.base) ?? page.base;
	}
}

function addLink(page: OpenPage, href: string, rel: string): void {
	if (href === "" || href.startsWith("#") || hasWord(rel, "nofollow")) return;
	if (page.hrefs.length < MAX_PAGE_LINKS) page.hrefs.push(href);
}

function addMeta(page: OpenPage, name: string, equivalent: string, content: string): void {
	if (/^(?:robots|stemmabot)$/iu.test(name)) page.robots.push(content);
	if (equivalent.toLowerCase() !== "refresh") return;
	const [, target = ""] = /^\s*\d*(?:\.\d*)?\s*[;,]\s*url\s*=\s*["']?([^"']*)/iu.exec(content) ?? [];
	addLink(page, target, "");
}

const hasWord = (text: string, word: string): boolean =>
	text
		.toLowerCase()
		.split(/[\s,]+/u)
		.includes(word);

/** Directives of the header, but for those that name another crawler: `otherbot: noindex`. */
const readRobotsHeader = (header: string): string =>
	header
		.replace(/(?:^|,)\s*(?!stemmabot|unavailable_after)[\w-]+\s*:[^,]*/giu, "")
		.replace(/stemmabot\s*:/giu, "");

function toPageLinks({ base, hrefs, canonical, robots }: OpenPage): PageLinks {
	const directives = robots.join(",");
	const hasDirective = (word: string): boolean => hasWord(directives, word) || hasWord(directives, "none");
	const links = new Map<string, URL>();
	if (!hasDirective("nofollow"))
		for (const href of hrefs) {
			const url = toPageAddress(href, base);
			if (url !== undefined) links.set(url.href, url);
		}
	return {
		links: [...links.values()],
		canonical: canonical === undefined || canonical === "" ? undefined : toPageAddress(canonical, base),
		isNoIndex: hasDirective("noindex"),
	};
}
