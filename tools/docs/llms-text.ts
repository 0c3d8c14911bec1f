import { withAbsoluteLinks } from "../../tsup.base.ts";

const ROW = /^\| (?!---|you want)(.+?) \| (.+) \|$/;
const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;

/**
 * Text of `llms.txt` (llmstxt.org), a list of the guides for language models: what the project is, then each task of the index
 * with the pages that say how.
 *
 * @param readme - whose first sentence says what the project is.
 * @param index - `docs/README.md`, whose sections have tables of tasks and links.
 */
export function toLlmsText(readme: string, index: string): string {
	const [, summary = ""] = readme.split("\n\n");
	const [, ...sections] = index.split(/^## /m);
	return `# Stemma

> ${summary.trim()}

These guides are those of this version. Agents are JSON: "The agent graph" is their reference. Programs call a service with \`@stemma/client\`: "The client".
Every error has a stable code, which "Troubleshooting" or "HTTP API" explains.

${sections.map(toSection).join("\n")}`;
}

function toSection(section: string): string {
	const [title = "", ...lines] = section.split("\n");
	const items = lines.flatMap((line) => {
		const [, task = "", pages = ""] = ROW.exec(line) ?? [];
		return [...pages.matchAll(LINK)].map(([, name = "", target = ""]) => `- [${name}](${target}): ${task}`);
	});
	return withAbsoluteLinks(`## ${title}\n\n${items.join("\n")}\n`);
}
