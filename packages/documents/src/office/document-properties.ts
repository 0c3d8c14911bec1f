import { findChild, parseXml, textOf } from "../xml/xml-tree";
import type { ZipContainer } from "../zip/open-zip";

/** Titles that programs give to files, which say nothing about them. */
const CODED_TITLES =
	/powerpoint|^microsoft word|^(untitled|unbenannt|sans titre|sin título|document|presentation)\d*$|\.(docx?|pptx?|od[tp]|rtf|txt)$/iu;

export const isCodedTitle = (title: string): boolean => CODED_TITLES.test(title.trim());

/** Title in the core properties of an OOXML file. A file whose properties are damaged is read without them. */
export async function findCoreTitle(zip: ZipContainer): Promise<string | undefined> {
	const core = await zip.find("docProps/core.xml").catch(() => undefined);
	if (core === undefined) return undefined;
	try {
		return textOf(findChild(parseXml(core), "dc:title")).trim() || undefined;
	} catch {
		return undefined;
	}
}
