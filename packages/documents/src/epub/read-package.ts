import { posix } from "node:path";
import { UnreadableError } from "../unreadable-error";
import type { XmlNode } from "../xml/xml-element";
import { isXmlNode, parseXml, textOf } from "../xml/xml-tree";
import type { ZipContainer } from "../zip/open-zip";

/** Package of a book (EPUB Open Packaging Format): its title, and its chapters in reading order. */
export interface BookPackage {
	readonly title: string | undefined;
	readonly chapters: readonly BookChapter[];
	/** Paths of files that are encrypted. Obfuscated fonts are not in it. */
	readonly encrypted: ReadonlySet<string>;
}

export interface BookChapter {
	/** Path of its file in the container. */
	readonly path: string;
	/** Labels of the entries of the table of contents that lead into its file. */
	readonly labels: readonly string[];
}

interface ManifestItem {
	readonly path: string;
	readonly mediaType: string;
	readonly properties: string;
}

const CONTAINER = "META-INF/container.xml";
const ENCRYPTION = "META-INF/encryption.xml";
const PAGE_TYPES =
	/^(?:application\/xhtml\+xml|text\/html|application\/x-dtbook\+xml|text\/x-oeb1-document)$/u;
/** Algorithms that only make fonts useless outside of the book. */
const FONT_OBFUSCATION = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/u;

/** @throws UnreadableError where the container has no package. */
export async function readPackage(zip: ZipContainer): Promise<BookPackage> {
	const container = parseXml(await zip.get(CONTAINER));
	const path = descendants(container, "rootfile").map((file) => file.attributes["full-path"])[0];
	if (path === undefined) throw new UnreadableError("it is not a book (its container names no package)");
	const opf = parseXml(await zip.get(path));
	const items = readManifest(opf, posix.dirname(path));
	const labels = await readLabels(zip, [...items.values()]);
	const spine = child(opf, "spine");
	const chapters = children(spine, "itemref").flatMap(({ attributes }): BookChapter[] => {
		const item = items.get(attributes.idref ?? "");
		if (item === undefined || !PAGE_TYPES.test(item.mediaType) || /\bnav\b/u.test(item.properties)) return [];
		return [{ path: item.path, labels: labels.get(item.path) ?? [] }];
	});
	return {
		title: readTitle(opf),
		chapters: withoutRepeated(chapters),
		encrypted: await readEncrypted(zip),
	};
}

/** Each chapter once: a file that is listed many times would make a small book a huge one. */
function withoutRepeated(chapters: readonly BookChapter[]): BookChapter[] {
	const seen = new Set<string>();
	return chapters.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** Path in the container that a reference in a file leads to, without its fragment. */
function resolvePath(folder: string, reference: string): string {
	const [path = ""] = reference.split("#", 1);
	return posix.join(folder, decode(path)).replace(/^\/+/u, "");
}

function decode(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

function readManifest(opf: XmlNode, folder: string): Map<string, ManifestItem> {
	const items = children(child(opf, "manifest"), "item").map(({ attributes }): [string, ManifestItem] => [
		attributes.id ?? "",
		{
			path: resolvePath(folder, attributes.href ?? ""),
			mediaType: attributes["media-type"] ?? "",
			properties: attributes.properties ?? "",
		},
	]);
	return new Map(items);
}

const readTitle = (opf: XmlNode): string | undefined =>
	descendants(opf, "title")
		.map((title) => textOf(title).replace(/\s+/gu, " ").trim())
		.find(Boolean);

/** Labels of the table of contents, by file. */
async function readLabels(zip: ZipContainer, items: readonly ManifestItem[]): Promise<Map<string, string[]>> {
	const labels = new Map<string, string[]>();
	const item =
		items.find(({ properties }) => /\bnav\b/u.test(properties)) ??
		items.find(({ mediaType }) => mediaType === "application/x-dtbncx+xml");
	const contents = item && (await zip.find(item.path));
	if (item === undefined || contents === undefined) return labels;
	for (const { label, reference } of listEntries(parseLeniently(contents))) {
		const path = resolvePath(posix.dirname(item.path), reference);
		const known = labels.get(path);
		if (known === undefined) labels.set(path, [label]);
		else known.push(label);
	}
	return labels;
}

/** The table of contents is a help: a book can be read without it. */
function parseLeniently(contents: Uint8Array): XmlNode | undefined {
	try {
		return parseXml(contents);
	} catch (error) {
		if (error instanceof UnreadableError) return undefined;
		throw error;
	}
}

interface ContentsEntry {
	readonly label: string;
	readonly reference: string;
}

function listEntries(contents: XmlNode | undefined): ContentsEntry[] {
	if (contents === undefined) return [];
	const points = descendants(contents, "navPoint").map((point) => ({
		label: toLabel(child(point, "navLabel")),
		reference: child(point, "content")?.attributes.src ?? "",
	}));
	const links = descendants(contents, "nav")
		.slice(0, 1)
		.flatMap((nav) => descendants(nav, "a"))
		.map((link) => ({ label: toLabel(link), reference: link.attributes.href ?? "" }));
	return [...points, ...links].filter(({ label }) => label !== "");
}

const toLabel = (node: XmlNode | undefined): string => textOf(node).replace(/\s+/gu, " ").trim();

async function readEncrypted(zip: ZipContainer): Promise<Set<string>> {
	const content = await zip.find(ENCRYPTION);
	if (content === undefined) return new Set();
	const files = descendants(parseXml(content), "EncryptedData").flatMap((data) => {
		const method = child(data, "EncryptionMethod")?.attributes.Algorithm ?? "";
		if (FONT_OBFUSCATION.test(method)) return [];
		return descendants(data, "CipherReference").map(({ attributes }) =>
			resolvePath("", attributes.URI ?? ""),
		);
	});
	return new Set(files);
}

/** Books differ in their namespaces, and in the prefixes for them. */
const hasName = (node: XmlNode, name: string): boolean =>
	node.name === name || node.name.endsWith(`:${name}`);

const children = (node: XmlNode | undefined, name: string): XmlNode[] =>
	(node?.children ?? []).filter(isXmlNode).filter((one) => hasName(one, name));

const child = (node: XmlNode | undefined, name: string): XmlNode | undefined => children(node, name)[0];

/** All elements of that name in a node, in document order. */
function descendants(root: XmlNode, name: string): XmlNode[] {
	const found: XmlNode[] = [];
	const open: XmlNode[] = [root];
	for (let node = open.pop(); node !== undefined; node = open.pop()) {
		if (node !== root && hasName(node, name)) found.push(node);
		open.push(...node.children.filter(isXmlNode).toReversed());
	}
	return found;
}
