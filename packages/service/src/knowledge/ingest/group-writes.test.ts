import { describe, expect, it } from "vitest";
import type { PassagesPart, StoredPart } from "../repositories/passage-repository";
import { decodePassages, encodePassages } from "./encoded-passages";
import { groupWrites, type UploadReadResult } from "./group-writes";

const document = (upload: number, passages: number, length = 1_000): UploadReadResult => ({
	upload,
	content: {
		title: `Document ${upload}`,
		text: null,
		attachments: [],
		unreadPages: [],
		passages: [
			...encodePassages(
				Array.from({ length: passages }, (_, index) => ({
					place: { start: index, end: index + 1 },
					text: "x".repeat(length),
				})),
			),
		],
	},
});

const group = (uploads: readonly UploadReadResult[]) => groupWrites(uploads, 1);

describe("groupWrites", () => {
	it("puts small documents into one transaction, and failures with them", () => {
		const error = { code: "no_text", message: "…" };
		const groups = group([document(7, 2), { upload: 8, error }, document(9, 1)]);
		expect(groups).toHaveLength(1);
		expect(groups[0]).toMatchObject([
			{ kind: "passages", upload: 7, first: 1, range: { first: 1, count: 2 } },
			{ kind: "failed", upload: 8, error },
			{ kind: "passages", upload: 9, first: 3, range: { first: 3, count: 1 } },
		]);
	});

	it("spreads a large document over several transactions, without gaps", () => {
		const groups = group([document(1, 1_000), document(2, 1)]);
		const parts = groups.flat() as PassagesPart[];
		expect(groups.length).toBeGreaterThan(5);
		for (const parts of groups) expect(parts.length).toBeLessThanOrEqual(2);
		let next = 1;
		for (const { first, passages, range } of parts.slice(0, -1)) {
			expect(first).toBe(next);
			expect(range).toEqual({ first: 1, count: 1_000 });
			next += passages.count;
		}
		expect(parts.at(-1)).toMatchObject({ upload: 2, first: 1_001 });
	});

	it("makes smaller transactions of passages that get vectors, of the same passages", () => {
		const own = document(1, 1_000);
		const toPassages = (parts: readonly StoredPart[]) =>
			parts.flatMap((part) => (part.kind === "passages" ? decodePassages(part.passages) : []));
		const groups = groupWrites([own], 1, true);
		expect(groups.length).toBeGreaterThan(group([own]).length);
		for (const parts of groups) expect(toPassages(parts).length).toBeLessThanOrEqual(100);
		expect(toPassages(groups.flat())).toEqual(toPassages(group([own]).flat()));
	});

	it("takes a single passage that is larger than a transaction should be", () => {
		expect(group([document(1, 1, 1_000_000)])).toHaveLength(1);
	});
});
