import type { OfficeBlock } from "./office-block";

/** Text of what is in a cell. Its lines become one; a table within it becomes rows with `;` between them. */
export const toCellText = (blocks: readonly OfficeBlock[]): string =>
	blocks.map(toText).filter(Boolean).join("\n");

function toText(block: OfficeBlock): string {
	if (block.kind === "table")
		return block.rows.map(({ cells }) => cells.map(({ text }) => text).join(", ")).join("; ");
	return block.kind === "item" && block.mark !== "" ? `${block.mark} ${block.text}` : block.text;
}
