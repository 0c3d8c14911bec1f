import { createHash } from "node:crypto";

const hash = (purpose, id) => createHash("sha256").update(`${purpose} ${id}`).digest("hex");

/** Elements in an order that only their ids decide. */
const shuffle = (purpose, elements, idOf) =>
	elements
		.map((element) => ({ element, key: hash(purpose, idOf(element)) }))
		.sort((a, b) => (a.key < b.key ? -1 : 1))
		.map(({ element }) => element);

/** The two halves of the documents of a set: while one is loaded, questions about the other have no answer. */
export function splitDocuments(documents) {
	const shuffled = shuffle("document", documents, ({ _id }) => _id);
	const middle = Math.ceil(documents.length / 2);
	return [shuffled.slice(0, middle), shuffled.slice(middle)];
}

/** Half of the questions that constants are chosen on (`choose`), or the other (`report`); all without a name. */
export const chooseHalf = (questions, half) =>
	half === undefined
		? questions
		: questions.filter(
				({ id }) => (Number.parseInt(hash("half", id)[0], 16) < 8 ? "choose" : "report") === half,
			);

/** At most so many questions: always the same. */
export const chooseSample = (questions, limit) =>
	questions.length <= limit ? questions : shuffle("sample", questions, ({ id }) => id).slice(0, limit);
