import { parsePassages } from "./parse-passages";

/** An output of another node, as it stands in the conversation. */
export interface DataBlock {
	/** Kind of the node that gave the output; undefined where it is not known. */
	readonly kind: string | undefined;
	readonly content: string;
}

const BEGIN = /^-----BEGIN DATA (\S+) (?:\S+) \((\w+)\)-----$/;

/**
 * The blocks of a message with prefetched data. A block ends at the boundary line with the token of the first one, so
 * that nothing in it can end it early. A message without boundaries gives its lines that are passages.
 */
export function readDataBlocks(message: string): DataBlock[] {
	const lines = message.split("\n");
	const token = lines.map((line) => BEGIN.exec(line)?.[1]).find((found) => found !== undefined);
	return token === undefined ? readBareLines(lines) : readBounded(lines, token);
}

function readBounded(lines: readonly string[], token: string): DataBlock[] {
	const blocks: DataBlock[] = [];
	let open: { kind: string | undefined; lines: string[] } | undefined;
	for (const line of lines) {
		const [, opened, kind] = BEGIN.exec(line) ?? [];
		if (open === undefined) open = opened === token ? { kind, lines: [] } : undefined;
		else if (line === `-----END DATA ${token}-----`) {
			blocks.push({ kind: open.kind, content: open.lines.join("\n") });
			open = undefined;
		} else open.lines.push(line);
	}
	return blocks;
}

const readBareLines = (lines: readonly string[]): DataBlock[] =>
	lines
		.filter((line) => parsePassages(line) !== undefined)
		.map((content) => ({ kind: "knowledge", content }));
