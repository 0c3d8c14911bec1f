import type { LeftOut } from "@stemma/service/documents";
import { count } from "./count";

const NAMED_EXTENSIONS = 5;

/** How many files of a folder were left out, and of which kinds. */
export function describeLeftOut(leftOut: readonly LeftOut[]): string {
	const total = leftOut.reduce((sum, { count }) => sum + count, 0);
	const kinds = leftOut
		.slice(0, NAMED_EXTENSIONS)
		.map(({ extension, count }) => `${count} ${extension || "without extension"}`)
		.concat(leftOut.length > NAMED_EXTENSIONS ? ["…"] : [])
		.join(", ");
	return `Left out ${count(total, "file")} that ${total === 1 ? "is" : "are"} not Markdown, text or HTML: ${kinds}.`;
}
