import { readFile } from "node:fs/promises";

/** A fenced block of Markdown. */
export interface Block {
	/** Language of the fence: `js`, `html`; empty where it names none. */
	readonly language: string;
	/** With its last line break. */
	readonly text: string;
}

/** Reads the fenced blocks under a heading of a page, in their order. */
export async function readBlocks(heading: string, page = "README.md"): Promise<readonly Block[]> {
	const content = await readFile(new URL(`../../${page}`, import.meta.url), "utf8");
	const [, section] = content.split(new RegExp(`^#+ ${heading}\n`, "m"));
	if (section === undefined) throw new Error(`${page} has no heading "${heading}".`);
	const fences = section.matchAll(/^(?:```(\w*)\n([\s\S]*?)^```$)|^#+ .*/gm);
	const blocks: Block[] = [];
	for (const [line, language = "", text = ""] of fences) {
		if (line.startsWith("#")) break;
		blocks.push({ language, text });
	}
	return blocks;
}

/** Lists the lines of an excerpt that a program does not have in this order; indentation does not matter. */
export function findForeignLines(excerpt: string, program: string): readonly string[] {
	const rest = program.split("\n").map((line) => line.trim());
	return excerpt.split("\n").filter((line) => {
		const index = rest.indexOf(line.trim());
		if (index >= 0) rest.splice(0, index + 1);
		return index < 0;
	});
}
