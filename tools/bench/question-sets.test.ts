import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface Question {
	readonly id: string;
	readonly question: string;
	readonly answers: readonly string[];
	readonly doc_id: string;
	readonly history?: readonly { readonly role: string; readonly content: string }[];
}

interface Document {
	readonly _id: string;
	readonly text: string;
}

interface Pair {
	readonly id: string;
	readonly kind: string;
	readonly passage: string;
	readonly sentence: string;
	readonly supported: boolean;
}

const FOLDER = join(import.meta.dirname, "answers");
const SETS = join(FOLDER, "sets");
const SUPPORTED = ["verbatim", "paraphrase", "number-format", "table"];
const NOT_SUPPORTED = ["number", "entity", "negation", "table-wrong-row", "half", "unrelated"];

const parseLines = <T>(text: string): readonly T[] =>
	text
		.trim()
		.split("\n")
		.map((line) => {
			const value: T = JSON.parse(line);
			return value;
		});

const readLines = <T>(...path: readonly string[]) => parseLines<T>(readFileSync(join(...path), "utf8"));

const listRepeated = (values: readonly string[]) =>
	values.filter((value, index) => values.indexOf(value) !== index);

describe.each(readdirSync(SETS))("the set %s", (name) => {
	const questions = readLines<Question>(SETS, name, "questions.jsonl");
	const documents = new Map(
		readLines<Document>(SETS, name, "corpus.jsonl").map(({ _id, text }) => [_id, text]),
	);

	it("has 60 questions or more, each once, and the origin of its text", () => {
		expect(questions.length).toBeGreaterThanOrEqual(60);
		expect(listRepeated(questions.map(({ id }) => id))).toEqual([]);
		const asked = questions.map(({ question, history }) => JSON.stringify([question, history]));
		expect(listRepeated(asked)).toEqual([]);
		expect(existsSync(join(SETS, name, "SOURCE.md"))).toBe(true);
	});

	it("has each answer in its document, to the letter", () => {
		const missing = questions.flatMap(({ id, answers, doc_id }) =>
			answers.length > 0 && answers.every((answer) => documents.get(doc_id)?.includes(answer)) ? [] : [id],
		);
		expect(missing).toEqual([]);
	});

	it("has histories that end with an answer", () => {
		const odd = questions.filter(({ history = [] }) =>
			history.some(({ role }, index) => role !== (index % 2 === 0 ? "user" : "assistant")),
		);
		expect(odd).toEqual([]);
		expect(questions.filter(({ history = [] }) => history.length % 2 === 1)).toEqual([]);
	});
});

describe("the pairs of a sentence and the passage that it cites", () => {
	const pairs = readLines<Pair>(FOLDER, "support-pairs.jsonl");

	it("are 300 or more, each once, and labelled as their kind says", () => {
		expect(pairs.length).toBeGreaterThanOrEqual(300);
		expect(listRepeated(pairs.map(({ passage, sentence }) => `${passage} ${sentence}`))).toEqual([]);
		const mislabelled = pairs.filter(
			({ kind, supported }) => !(supported ? SUPPORTED : NOT_SUPPORTED).includes(kind),
		);
		expect(mislabelled).toEqual([]);
	});

	it("have the verbatim sentences in their passages, and no others", () => {
		const odd = pairs.filter(
			({ kind, passage, sentence }) => passage.includes(sentence) !== (kind === "verbatim"),
		);
		expect(odd).toEqual([]);
	});
});
