import fc from "fast-check";
import { expect, it } from "vitest";
import { createPieceTable, type PieceTable, toHash } from "./piece-table";

/** Finds a piece where it stands between others. */
const findPiece = (table: PieceTable<number>, piece: string, hash = toHash(piece)): number | undefined =>
	table.find(`-${piece}-`, 1, 1 + piece.length, hash);

it("finds what a map would", () => {
	fc.assert(
		fc.property(fc.uniqueArray(fc.string({ unit: "binary" })), fc.array(fc.string()), (added, others) => {
			const table = createPieceTable<number>();
			for (const [place, piece] of added.entries()) table.add(piece, toHash(piece), place);
			const map = new Map(added.map((piece, place) => [piece, place]));
			for (const piece of [...added, ...others]) expect(findPiece(table, piece)).toBe(map.get(piece));
			expect(table.size).toBe(map.size);
		}),
	);
});

it("tells pieces with the same hash apart", () => {
	const table = createPieceTable<number>();
	table.add("one", 7, 1);
	expect(findPiece(table, "two", 7)).toBeUndefined();
	table.add("two", 7, 2);
	expect([findPiece(table, "one", 7), findPiece(table, "two", 7)]).toEqual([1, 2]);
});

it("gives pieces that a widespread hash makes the same hashes of their own", () => {
	// With the factor 31, "Aa" and "BB" have the same hash, and so do all texts that are made of them.
	let pieces = [""];
	for (let pairs = 0; pairs < 14; pairs++) pieces = pieces.flatMap((piece) => [`${piece}Aa`, `${piece}BB`]);
	expect(new Set(pieces.map(toHash)).size).toBeGreaterThan(pieces.length * 0.99);
});

it("finds each of many pieces", () => {
	const table = createPieceTable<number>();
	const pieces = Array.from({ length: 20_000 }, (_, index) => `piece${index}`);
	for (const [index, piece] of pieces.entries()) table.add(piece, toHash(piece), index);
	expect(pieces.every((piece, index) => findPiece(table, piece) === index)).toBe(true);
	expect(findPiece(table, "piece20000")).toBeUndefined();
});
