import { listChildren, parseXml } from "../../xml/xml-tree";
import type { ZipContainer } from "../../zip/open-zip";

/** Link from one part of an OOXML container to another one. */
export interface Relationship {
	readonly id: string;
	/** Last word of its type: `slide`, `styles`, `officeDocument`. */
	readonly type: string;
	/** Name of the part that it leads to. */
	readonly target: string;
}

/** Lists the links of a part (`word/document.xml`), or of the container (`""`), to parts inside the container. */
export async function listRelationships(zip: ZipContainer, part: string): Promise<Relationship[]> {
	const slash = part.lastIndexOf("/") + 1;
	const folder = part.slice(0, slash);
	const bytes = await zip.find(`${folder}_rels/${part.slice(slash)}.rels`);
	if (bytes === undefined) return [];
	return listChildren(parseXml(bytes), "rel:Relationship").flatMap(({ attributes }) => {
		const { Id: id = "", Type: type = "", Target: target = "", TargetMode: mode } = attributes;
		if (mode === "External") return [];
		return { id, type: type.slice(type.lastIndexOf("/") + 1), target: resolveName(folder, target) };
	});
}

/** The main part of a container, such as `word/document.xml`. */
export async function findMainPart(zip: ZipContainer, fallback: string): Promise<string> {
	const links = await listRelationships(zip, "");
	const target = links.find(({ type }) => type === "officeDocument")?.target ?? fallback;
	return hasPart(zip, target) ? target : fallback;
}

const hasPart = (zip: ZipContainer, name: string): boolean =>
	zip.names.some((other) => other.toLowerCase() === name.toLowerCase());

function resolveName(folder: string, target: string): string {
	const path = target.startsWith("/") ? target.slice(1) : folder + target;
	const names: string[] = [];
	for (const name of path.split("/")) {
		if (name === "..") names.pop();
		else if (name !== "." && name !== "") names.push(name);
	}
	return names.join("/");
}
