import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const OWN_FOLDER = join(import.meta.dirname, "sets");

/** Sets of the data folder, which are too large for the repository. */
const PUBLIC_SETS = ["xquad-en", "xquad-de", "jsquad-valid", "product-docs"];
/** Sets whose answers are prose: they tell refusals alone. */
const PROSE_SETS = ["product-docs"];

const readLines = (file) =>
	readFileSync(file, "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));

/**
 * A set of questions: `corpus.jsonl` with `{_id, title, text}`, `questions.jsonl` with `{id, question, answers, doc_id}`;
 * `doc_ids` where several documents answer, `all_needed` where only all of the answers together do, `history` before a
 * question of a conversation.
 */
export const readSet = (folder, name) => ({
	name,
	isProse: PROSE_SETS.includes(name),
	documents: readLines(join(folder, name, "corpus.jsonl")),
	questions: readLines(join(folder, name, "questions.jsonl")),
});

/** All sets of the repository, and those of the data folder where it is known. */
export function readSets({ names, isOwnOnly = false } = {}) {
	const dataFolder = isOwnOnly ? undefined : process.env.STEMMA_DATA;
	const isWanted = (name) => names === undefined || names.includes(name);
	const listed = [
		...(dataFolder === undefined ? [] : PUBLIC_SETS.map((name) => ({ folder: dataFolder, name }))),
		...readdirSync(OWN_FOLDER)
			.filter((name) => existsSync(join(OWN_FOLDER, name, "questions.jsonl")))
			.map((name) => ({ folder: OWN_FOLDER, name })),
	];
	return listed.filter(({ name }) => isWanted(name)).map(({ folder, name }) => readSet(folder, name));
}
