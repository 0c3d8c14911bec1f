import { readFile } from "node:fs/promises";

/** A fenced block of Markdown. */
export interface Block {
	/** As the fence says: `js`, `html`; empty where it says none. */
	readonly language: string;
	/** With its last line break. */
	readonly text: string;
}

/** The fenced blocks under a heading of the README, in their order. */
export async function readBlocks(heading: string): Promise<readonly Block[]> {
	const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
	const [, section] = readme.split(new RegExp(`^#+ ${heading}\n`, "m"));
	if (section === undefined) throw new Error(`The README has no heading "${heading}".`);
	const fences = section.matchAll(/^(?:```(\w*)\n([\s\S]*?)^```$)|^#+ .*/gm);
	const blocks: Block[] = [];
	for (const [line, language = "", text = ""] of fences) {
		if (line.startsWith("#")) break;
		blocks.push({ language, text });
	}
	return blocks;
}
