/** One row of a list of limits. */
export interface LimitRow {
	readonly description: string;
	readonly amount: string;
	/** Names in code format, in order: keys, variables, options, constants. */
	readonly settings: readonly string[];
	readonly isFixed: boolean;
	/** What a caller gets who meets it. */
	readonly refusal: string;
}

const HEAD = "| limit | default | setting | what the caller gets |";

/** The rows of all tables under `## Limits` of a page. */
export function readRows(page: string): readonly LimitRow[] {
	const [, section = ""] = /^## Limits\n([\s\S]*?)(?=^## )/m.exec(page) ?? [];
	return section.split("\n").flatMap((line) => (isRow(line) ? toRow(line) : []));
}

const isRow = (line: string): boolean => line.startsWith("|") && line !== HEAD && !/^[|-]+$/.test(line);

function toRow(line: string): LimitRow {
	const cells = line.slice(1, -1).split("|");
	const [description = "", amount = "", setting = "", refusal = ""] = cells.map((cell) => cell.trim());
	if (cells.length !== 4) throw new Error(`A row of the limits has four cells: ${line}`);
	const settings = [...setting.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
	return { description, amount, settings, isFixed: setting.startsWith("fixed"), refusal };
}

/** Status and code of each refusal that a cell names, such as 413 `body_too_large`. */
export const readRefusals = (refusal: string): readonly (readonly [status: number, code: string])[] =>
	[...refusal.matchAll(/\b([45]\d\d) `([a-z0-9_]+)`/g)].map(([, status, code = ""]) => [
		Number(status),
		code,
	]);
