import type { Approval } from "@stemma/core";
import { count } from "../terminal/text/count";
import { type Piece, toJsonPieces, toTextPieces } from "../terminal/text/escape-invisible";
import { cutToColumns, cutToRows, type RowShape, toRows, truncateLine } from "../terminal/text/wrap-columns";

/** Layout of a call that is shown with its exact arguments, invisible characters written out. */
export interface CallShape {
	readonly columns: number;
	/** Indent before each row. */
	readonly indent?: string;
	/** Every argument, however long it is. */
	readonly isFull?: boolean;
}

export interface CallDescription {
	/** `refund_order (refund)`: the tool, and the node where it is called otherwise. */
	readonly title: string;
	/** The tool alone, short. */
	readonly tool: string;
	/** One argument a row, `order: "A1"`; rows that go on with one begin with `│`. Lines, each with its end. */
	readonly rows: string;
	/** `2 arguments, 3,345 characters, all shown` */
	readonly size: string;
	readonly isCut: boolean;
}

const MAX_ROWS = 12;
/** Rows at the end, where there are more arguments than rows. */
const TAIL_ROWS = 3;
const MAX_NAME_COLUMNS = 24;
/** Columns that the title leaves free for the text after it in the same row. */
const TITLE_MARGIN = 24;

/**
 * A call as a person decides on it. What its arguments say comes from models and documents: none of it is invisible, looks
 * like a line of ours, or pushes another argument out of sight.
 */
export function describeCall(
	approval: Pick<Approval, "node" | "tool" | "arguments">,
	shape: CallShape,
): CallDescription {
	const { node, tool, arguments: args } = approval;
	const { columns, indent = "  ", isFull = false } = shape;
	const all = Object.entries(args).map(toArgument);
	const rowShape = { columns, indent, prefix: `${indent}│ ` };
	const { rows, leftOut } = isFull
		? join(all.map((argument) => renderFull(argument, rowShape)))
		: fitRows(all, rowShape);
	const characters = [...JSON.stringify(args)].length;
	const shown = leftOut === 0 ? "all shown" : `${leftOut.toLocaleString("en-US")} of them not shown`;
	return {
		title: truncateLine(node === tool ? tool : `${tool} (${node})`, columns - TITLE_MARGIN),
		tool: truncateLine(tool, MAX_NAME_COLUMNS),
		rows: (rows.length === 0 ? [`${indent}no arguments`] : rows).map((row) => `${row}\n`).join(""),
		size: `${count(all.length, "argument")}, ${count(characters, "character")}, ${shown}`,
		isCut: leftOut > 0,
	};
}

interface Argument {
	readonly name: readonly Piece[];
	readonly value: readonly Piece[];
}

const toArgument = ([name, value]: readonly [string, unknown]): Argument => ({
	name: toName(name),
	value: toJsonPieces(JSON.stringify(value)),
});

/** Formats an argument's name: unchanged if it cannot be mistaken for anything else, else as JSON. */
const toName = (name: string): Piece[] =>
	/^[A-Za-z_][\w.-]{0,29}$/.test(name) ? toTextPieces(name) : toJsonPieces(JSON.stringify(name));

interface RenderedRows {
	readonly rows: readonly string[];
	/** Characters that are not shown. */
	readonly leftOut: number;
}

interface ArgumentShape extends RowShape {
	readonly indent: string;
}

const renderFull = (argument: Argument, shape: ArgumentShape): RenderedRows => ({
	rows: toRows([...toLabel(argument.name, shape), ...argument.value], shape),
	leftOut: 0,
});

/** Short arguments whole, and of long ones the beginning and the end; never more rows than a screen has. */
function fitRows(args: readonly Argument[], shape: ArgumentShape): RenderedRows {
	if (args.length > MAX_ROWS) return elideMiddle(args, shape);
	const full = args.map((argument) => renderFull(argument, shape));
	const rowsEach = findRowsPerArgument(full.map(({ rows }) => rows.length));
	return join(
		full.map((fullRows, index) => {
			const argument = args[index];
			return argument === undefined || fullRows.rows.length <= rowsEach
				? fullRows
				: shorten(argument, rowsEach, shape);
		}),
	);
}

function findRowsPerArgument(needed: readonly number[]): number {
	const used = (rowsEach: number): number => needed.reduce((sum, rows) => sum + Math.min(rows, rowsEach), 0);
	let rowsEach = MAX_ROWS;
	while (rowsEach > 1 && used(rowsEach) > MAX_ROWS) rowsEach -= 1;
	return rowsEach;
}

/** Shows only the first and the last of many arguments, a row each. */
function elideMiddle(args: readonly Argument[], shape: ArgumentShape): RenderedRows {
	const end = args.length - TAIL_ROWS;
	const start = MAX_ROWS - TAIL_ROWS - 1;
	const show = (some: readonly Argument[]): RenderedRows[] =>
		some.map((argument) => renderOneRow(argument, shape));
	const middle = args.slice(start, end);
	const gap = {
		rows: [`${shape.indent}… ${count(middle.length, "more argument")} …`],
		leftOut: countCharacters(middle),
	};
	return join([...show(args.slice(0, start)), gap, ...show(args.slice(end))]);
}

function renderOneRow(argument: Argument, shape: ArgumentShape): RenderedRows {
	const fullRows = renderFull(argument, shape);
	return fullRows.rows.length === 1 ? fullRows : shorten(argument, 1, shape);
}

function shorten({ name, value }: Argument, rows: number, shape: ArgumentShape): RenderedRows {
	const short = cutToColumns(name, MAX_NAME_COLUMNS);
	const fitting = cutToRows({ label: toLabel(short.pieces, shape), value }, rows, shape);
	return { rows: fitting.rows, leftOut: fitting.leftOut + short.leftOut };
}

const join = (shown: readonly RenderedRows[]): RenderedRows => ({
	rows: shown.flatMap(({ rows }) => rows),
	leftOut: shown.reduce((sum, { leftOut }) => sum + leftOut, 0),
});

const toLabel = (name: readonly Piece[], { indent }: ArgumentShape): Piece[] => [
	...toTextPieces(indent),
	...name,
	...toTextPieces(": "),
];

/** Counts the characters of arguments in JSON: each has a colon and a comma besides. */
const countCharacters = (args: readonly Argument[]): number =>
	args
		.flatMap(({ name, value }) => [...name, ...value])
		.reduce((sum, { characters }) => sum + characters, 2 * args.length);
