import fc from "fast-check";
import { expect, it } from "vitest";
import { addToHash, createPieceTable, type PieceTable } from "./piece-table";

const toHash = (piece: string): number =>
	piece.split("").reduce((hash, unit) => addToHash(hash, unit.charCodeAt(0)), 0);

/** Finds a piece where it stands between others. */
const findPiece = (table: PieceTable<number>, piece: string): number | undefined =>
	table.find(`-${piece}-`, 1, 1 + piece.length, toHash(piece));

it("finds what a map would", () => {
	fc.assert(
		fc.property(fc.uniqueArray(fc.string({ unit: "binary" })), fc.array(fc.string()), (added, others) => {
			const table = createPieceTable<number>();
			for (const [place, piece] of added.entries()) table.add(piece, place);
			const map = new Map(added.map((piece, place) => [piece, place]));
			for (const piece of [...added, ...others]) expect(findPiece(table, piece)).toBe(map.get(piece));
			expect(table.size).toBe(map.size);
		}),
	);
});

it("tells pieces with the same hash apart", () => {
	const table = createPieceTable<number>();
	// 31 * "A" + "a" is 31 * "B" + "B".
	expect(toHash("Aa")).toBe(toHash("BB"));
	table.add("Aa", 1);
	expect(findPiece(table, "BB")).toBeUndefined();
	table.add("BB", 2);
	expect([findPiece(table, "Aa"), findPiece(table, "BB")]).toEqual([1, 2]);
});

it("finds each of many pieces", () => {
	const table = createPieceTable<number>();
	const pieces = Array.from({ length: 20_000 }, (_, index) => `piece${index}`);
	for (const [index, piece] of pieces.entries()) table.add(piece, index);
	expect(pieces.every((piece, index) => findPiece(table, piece) === index)).toBe(true);
	expect(findPiece(table, "piece20000")).toBeUndefined();
});
