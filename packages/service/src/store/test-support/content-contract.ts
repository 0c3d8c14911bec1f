import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodeText } from "../../knowledge/ingest/encode-text";
import type { DocumentContents } from "../../knowledge/repositories/content-repository";
import type { NewDocument } from "../../knowledge/repositories/document-repository";
import type { KnowledgeRepositories } from "../../knowledge/repositories/knowledge-repositories";
import { addTo, claimFrom, ingest, type OpenedKnowledge, toNewDocument, toParts } from "./knowledge-fixture";

const toSha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Text of more than two chunks, in which characters of all lengths stand at all places. */
const LONG = "aé世𝄞".repeat(60_000);

/** Contract that each store of files and texts keeps. @param open - an empty one. */
export function describeContentRepository(open: () => OpenedKnowledge): void {
	describe("a repository of contents", () => {
		let opened: OpenedKnowledge;
		let repositories: KnowledgeRepositories;
		let base: string;
		beforeEach(async () => {
			opened = open();
			({ repositories } = opened);
			base = await opened.addKnowledgeBase();
		});
		afterEach(() => opened.close());

		async function find(id: string): Promise<DocumentContents> {
			const found = await repositories.contents.find(base, id);
			return typeof found === "string" ? expect.unreachable(found) : found;
		}
		async function readAll(content: number, start = 0, end = Number.POSITIVE_INFINITY): Promise<string> {
			const pieces: Uint8Array[] = [];
			for (let position = start; position < end; ) {
				const bytes = await repositories.contents.read(content, position);
				if (bytes === undefined) break;
				expect(bytes.byteLength).toBeLessThanOrEqual(256 * 1024);
				pieces.push(bytes.subarray(0, end - position));
				position += bytes.byteLength;
			}
			return Buffer.concat(pieces).toString();
		}
		/** Adds a document, and reads it as one whose text was extracted. */
		async function addExtracted(document: NewDocument, text: string): Promise<void> {
			await addTo(repositories, base, [document]);
			const [upload] = await claimFrom(repositories);
			const [part] = await toParts(repositories, upload?.number ?? 0, ["a passage"]);
			if (part === undefined) return expect.unreachable();
			await repositories.passages.store({ parts: [{ ...part, text: await encodeText(text) }], now: 3 });
		}
		const sweepUntilDone = async () => {
			while (await repositories.passages.sweep());
		};

		it("has the file at once, and its text once it is read, which may be the file", async () => {
			const document = toNewDocument("one two", { fileName: "a.txt" });
			await addTo(repositories, base, [document]);
			const original = { size: 7, sha256: document.sha256, number: expect.any(Number) };
			expect(await find(document.id)).toMatchObject({ file_name: "a.txt", original, text: null });
			const [upload] = await claimFrom(repositories);
			const parts = await toParts(repositories, upload?.number ?? 0, ["one", "two"]);
			await repositories.passages.store({ parts, now: 3 });
			const found = await find(document.id);
			expect(found).toMatchObject({ status: "ready", original, text: original });
			expect(await readAll(found.text?.number ?? 0)).toBe("one two");
			expect(await repositories.contents.read(found.text?.number ?? 0, 7)).toBeUndefined();
		});

		it("has a text that was extracted beside the file", async () => {
			const document = toNewDocument("%PDF", { format: "text" });
			await addExtracted(document, "Extracted.");
			const { original, text } = await find(document.id);
			expect(text).toMatchObject({ size: 10, sha256: toSha256("Extracted.") });
			expect([await readAll(original?.number ?? 0), await readAll(text?.number ?? 0)]).toEqual([
				"%PDF",
				"Extracted.",
			]);
		});

		it.each(["file", "text"] as const)("reads a long %s from any byte, and finds any range", async (kind) => {
			const document = toNewDocument(kind === "file" ? LONG : "x");
			if (kind === "file") await ingest(repositories, base, [document]);
			else await addExtracted(document, LONG);
			const { text } = await find(document.id);
			const content = text?.number ?? 0;
			expect(text).toMatchObject({ size: Buffer.byteLength(LONG), sha256: toSha256(LONG) });
			expect(toSha256(await readAll(content))).toBe(toSha256(LONG));
			const bytes = Buffer.from(LONG);
			for (const start of [0, 1, 262_143, 262_144, 300_001, bytes.byteLength - 1])
				expect(await readAll(content, start, start + 5)).toBe(bytes.subarray(start, start + 5).toString());
			const characters = async (start: number, end?: number) => {
				const range = await repositories.contents.findTextRange({ content, start, end });
				return range && readAll(content, range.start, range.end);
			};
			for (const start of [0, 5, 65_535, 65_540, 131_070, 200_000])
				expect(await characters(start, start + 4)).toBe(LONG.slice(start, start + 4).replace(/\p{Cs}/gu, ""));
			expect(await characters(LONG.length - 5)).toBe("aé世𝄞");
			expect([await characters(4, 5), await characters(3, 4), await characters(5, 5)]).toEqual(["", "", ""]);
			expect([await characters(9, 3), await characters(LONG.length, LONG.length + 9)]).toEqual(["", ""]);
		});

		it("keeps text and passages together while another file waits or cannot be read", async () => {
			const first = toNewDocument("first", { source: "a" });
			await ingest(repositories, base, [first]);
			await addTo(repositories, base, [toNewDocument("second", { source: "a" })]);
			const contents = async () => {
				const { original, text } = await find(first.id);
				return [await readAll(original?.number ?? 0), await readAll(text?.number ?? 0)];
			};
			expect(await contents()).toEqual(["second", "first"]);
			const [upload] = await claimFrom(repositories);
			const error = { code: "no_text", message: "…" };
			const failed = { kind: "failed" as const, upload: upload?.number ?? 0, error };
			await repositories.passages.store({ parts: [failed], now: 4 });
			await sweepUntilDone();
			expect(await contents()).toEqual(["second", "first"]);
			await ingest(repositories, base, [toNewDocument("third", { source: "a" })]);
			await sweepUntilDone();
			expect(await contents()).toEqual(["third", "third"]);
		});

		it("sweeps away what was replaced or deleted, and names what does not exist", async () => {
			const document = toNewDocument(LONG, { source: "a" });
			await ingest(repositories, base, [document]);
			const { original } = await find(document.id);
			const content = original?.number ?? 0;
			await ingest(repositories, base, [toNewDocument("x", { source: "a" })]);
			await sweepUntilDone();
			expect(await repositories.contents.read(content, 0)).toBeUndefined();
			expect(await repositories.contents.findTextRange({ content, start: 0 })).toBeUndefined();
			const replaced = (await find(document.id)).original?.number ?? 0;
			await repositories.documents.delete(base, document.id);
			await sweepUntilDone();
			expect(await repositories.contents.read(replaced, 0)).toBeUndefined();
			const other = await opened.addKnowledgeBase();
			const [id = ""] = await ingest(repositories, other, [toNewDocument("y")]);
			expect([
				await repositories.contents.find(base, document.id),
				await repositories.contents.find(base, id),
				await repositories.contents.find("kb_none", id),
			]).toEqual(["no_document", "no_document", "no_knowledge_base"]);
		});

		it("keeps a file once, while its upload moves to another queue", async () => {
			const document = toNewDocument("one");
			await addTo(repositories, base, [document]);
			const [upload] = await claimFrom(repositories);
			const before = (await find(document.id)).original;
			await repositories.uploads.requeue({ upload: upload?.number ?? 0, vendorFailures: 0 });
			expect((await find(document.id)).original).toEqual(before);
		});
	});
}
