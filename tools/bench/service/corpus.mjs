import { createRandom } from "./random.mjs";

const VOCABULARY = 60_000;
/** Words that stand in every sentence and that no question is about. */
const FUNCTION_WORDS =
	"the of and to in a is that for it as was with be by on not he his but at are this have from or".split(" ");
const SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi zo ra ne ti mo lu ka".split(" ");

/** Text whose words are as frequent as those of a natural language (Zipf's law): common ones, and many rare ones. */
export function createCorpus(seed) {
	const random = createRandom(seed);
	const words = Array.from({ length: VOCABULARY }, (_, rank) => FUNCTION_WORDS[rank] ?? makeWord(rank));
	const sums = [];
	let total = 0;
	for (let rank = 0; rank < VOCABULARY; rank++) {
		total += 1 / (rank + 2.7);
		sums.push(total);
	}

	function pickRank() {
		const wanted = random() * total;
		let low = 0;
		let high = VOCABULARY - 1;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (sums[middle] < wanted) low = middle + 1;
			else high = middle;
		}
		return low;
	}
	const pickWord = () => words[pickRank()];

	/** About so many characters. */
	function passage(characters) {
		let text = "";
		for (let count = 1; text.length < characters; count++)
			text += pickWord() + (count % 15 === 0 ? ". " : " ");
		return `${text.trim()}.`;
	}

	/** Three to six words of a passage that are not function words, with a few around them that are. */
	function question(text) {
		const own = [...new Set(text.match(/\w+/g))].filter((word) => !FUNCTION_WORDS.includes(word));
		const picked = Array.from(
			{ length: 3 + Math.floor(random() * 4) },
			() => own[Math.floor(random() * own.length)],
		);
		return `what is the ${picked.join(" of the ")}`;
	}
	return { passage, question, random };
}

function makeWord(rank) {
	let text = "";
	for (let rest = rank; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
		text += SYLLABLES[rest % SYLLABLES.length];
	return text;
}

/** A document whose sections are passages. */
export const DOCUMENT_FORMATS = {
	rst: (passages) =>
		passages.map((text, index) => `Part ${index + 1}\n${"=".repeat(12)}\n\n${text}\n`).join("\n"),
	md: (passages) => passages.map((text, index) => `## Part ${index + 1}\n\n${text}\n`).join("\n"),
	html: (passages) =>
		`<main>${passages.map((text, index) => `<h2>Part ${index + 1}</h2><p>${text}</p>`).join("\n")}</main>`,
};
