const QUOTE = /^"([\s\S]*?)" ((?:\[\d+\] ?)+)$/gm;

const foldBlanks = (text) => text.replace(/\s+/gu, " ").trim();

/** Quotes of an answer of the built-in model: text, and the passages that its marks name. */
export function readQuotes({ answer, citations, passages }) {
	const passageOf = (mark) => {
		const citation = citations.find(({ n }) => n === Number(mark));
		return passages.find(({ passage_id }) => passage_id === citation?.passage_id);
	};
	return [...answer.matchAll(QUOTE)].map(([, text, marks]) => ({
		text,
		passages: [...marks.matchAll(/\d+/g)].map(([mark]) => passageOf(mark)),
	}));
}

/** Checks whether a text has a part of a quote: as it stands, or each cell of a row and the name of its column. */
function holdsPart(text, part) {
	const holds = (piece) => text.includes(foldBlanks(piece));
	if (holds(part)) return true;
	return part.split(" | ").every((cell) => {
		const [name, ...value] = cell.split(": ");
		return holds(cell) || (value.length > 0 && holds(name) && holds(value.join(": ")));
	});
}

/**
 * Checks whether a quote stands in each passage that it names, to the letter, but for line breaks and the names of columns
 * in rows of tables; `…` stands for what was left out.
 */
export const isVerbatim = ({ text, passages }) =>
	passages.every(
		(passage) =>
			passage !== undefined &&
			text
				.split("…")
				.every((part) => holdsPart(foldBlanks(`${passage.heading ?? ""} ${passage.text}`), part)),
	);
