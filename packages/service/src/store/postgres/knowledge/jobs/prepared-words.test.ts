import { expect, it } from "vitest";
import { encodePassages } from "../../../../knowledge/ingest/encoded-passages";
import type { PassagesPart } from "../../../../knowledge/repositories/passage-repository";
import { toBinaryArray } from "../../connection/binary-array";
import { collectDocumentWords } from "../word-index/document-words";
import { prepareWords } from "./prepared-words";
import type { ReadDocument } from "./publish-passages";

const PLACE = { start: 0, end: 9 };
const TWO_PASSAGES = ["A car.", "A wheel."].map((text) => ({ text, place: PLACE }));

function toPart(upload: number, first: number): PassagesPart {
	const [passages = { count: 0, characters: 0, bytes: new Uint8Array() }] = encodePassages(TWO_PASSAGES);
	const range = { first, count: TWO_PASSAGES.length };
	return { kind: "passages", upload, title: "Own title", range, first, passages };
}

const toDocument = (number: number, knowledgeBase: number, title = ""): ReadDocument => ({
	...{ number, knowledge_base: knowledgeBase, title, first_passage: 0, passage_count: 0 },
	...{ original_content: number, text_content: null },
});

const expected = (first: number, title: string) => ({ first, title, passages: TWO_PASSAGES });

it("are found for the passages of each knowledge base as they were expected", async () => {
	const documents = new Map([
		[1, toDocument(10, 1)],
		[2, toDocument(20, 2, "Given title")],
		[3, toDocument(30, 1)],
	]);
	const prepared = await prepareWords(
		[toPart(1, 100), toPart(2, 200), toPart(3, 300), toPart(4, 400)],
		documents,
		collectDocumentWords,
	);
	const words = prepared.find(1, [expected(100, "Own title"), expected(300, "Own title")]);
	expect(words).toMatchObject({ firstPassage: 100, lastPassage: 301, passageCount: 4 });
	expect(words?.passages.number).toEqual(toBinaryArray("bigint", [100, 101, 300, 301]));
	expect(words?.blocks.words).toEqual(toBinaryArray("text", ["a car own titl wheel"]));
	expect(prepared.find(2, [expected(200, "Given title")])).toMatchObject({ passageCount: 2 });
});

it("are not those of a document that has another title, or is gone", async () => {
	const documents = new Map([
		[1, toDocument(10, 1)],
		[3, toDocument(30, 1)],
	]);
	const prepared = await prepareWords([toPart(1, 100), toPart(3, 300)], documents, collectDocumentWords);
	expect(prepared.find(1, [expected(100, "Own title"), expected(300, "New title")])).toBeUndefined();
	expect(prepared.find(1, [expected(100, "Own title")])).toBeUndefined();
	expect(prepared.find(2, [expected(100, "Own title"), expected(300, "Own title")])).toBeUndefined();
});

it("are not those of passages that cannot be decoded", async () => {
	const broken = { ...toPart(1, 100), passages: { count: 2, characters: 9, bytes: new Uint8Array([1]) } };
	const prepared = await prepareWords([broken], new Map([[1, toDocument(10, 1)]]), collectDocumentWords);
	expect(prepared.find(1, [expected(100, "Own title")])).toBeUndefined();
});
