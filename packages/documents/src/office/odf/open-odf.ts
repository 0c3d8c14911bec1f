import { UnreadableError } from "../../unreadable-error";
import { findChild, listDescendants, parseXml, textOf } from "../../xml/xml-tree";
import { openZip, type ZipContainer } from "../../zip/open-zip";

/** Parts of an OpenDocument file that are read. */
export type OdfParts = Pick<ZipContainer, "find" | "get">;

/** Opens an OpenDocument file, a container or flat. @throws UnreadableError as `openZip` does, and where it is encrypted. */
export async function openOdf(bytes: Uint8Array): Promise<OdfParts> {
	if (isFlat(bytes))
		return { find: async (name) => (FLAT_PARTS.has(name) ? bytes : undefined), get: async () => bytes };
	const zip = await openZip(bytes);
	const manifest = await zip.find("META-INF/manifest.xml");
	if (manifest !== undefined && listDescendants(parseXml(manifest), "manifest:encryption-data").length > 0)
		throw new UnreadableError("it is protected by a password", { code: "password_protected" });
	return zip;
}

/** Title in the properties of an OpenDocument file. A file whose properties are damaged is read without them. */
export async function findMetaTitle(zip: OdfParts): Promise<string | undefined> {
	const meta = await zip.find("meta.xml").catch(() => undefined);
	if (meta === undefined) return undefined;
	try {
		return textOf(findChild(findChild(parseXml(meta), "office:meta"), "dc:title")).trim() || undefined;
	} catch {
		return undefined;
	}
}

/** Parts of a container that are one in a flat file (OpenDocument 1.3, part 3, 3.1.2), each in its elements. */
const FLAT_PARTS = new Set(["content.xml", "styles.xml", "meta.xml"]);
const SAMPLE_BYTES = 4_096;

function isFlat(bytes: Uint8Array): boolean {
	const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE_BYTES)).toString(
		"latin1",
	);
	return /^(?:ï»¿)?\s*</u.test(start) && start.includes("urn:oasis:names:tc:opendocument:xmlns:office:1.0");
}
