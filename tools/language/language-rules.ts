import { splitWords } from "./split-words.ts";

/** First words of a docstring that name nothing: question words, pronouns, prepositions, conjunctions and the like. */
const EMPTY_OPENINGS: ReadonlySet<string> = new Set(
	[
		"what whatever whether who whoever whom whose which whichever where wherever when whenever why how",
		"it its they them their this that these those he she we i such",
		"none nothing nobody nowhere something somebody someone anything anybody anyone everything everybody everyone",
		"of as for by to from with without in on at under over between behind besides beyond about into against",
		"after before until since while once during if unless because though although but and or nor so than",
		"also instead else again here there then not never only same is are was does do may can must",
	].flatMap((words) => words.split(" ")),
);

/** First words of the constants of limits that are called `MAX_…` or `MIN_…` instead. */
const REFUSED_SUPERLATIVES: ReadonlySet<string> = new Set(
	"most longest largest biggest highest deepest widest least shortest smallest fewest lowest".split(" "),
);

/** Verbs that are no verbs of a program, as the first words of a function's name. */
const REFUSED_VERBS: readonly (readonly string[])[] = [
	["demand"],
	["tell"],
	["retell"],
	["hear"],
	["obey"],
	["ring"],
	["go", "on"],
	["take", "in"],
	["give", "up"],
	["carry", "out"],
	["break", "off"],
	["wait", "out"],
	["work", "off"],
	["find", "out"],
	["read", "on"],
];

/** Checks for docstrings whose first words do not name their thing; one that starts with code or a number does. */
export function opensEmpty(docstring: string): boolean {
	if (docstring.startsWith("…")) return true;
	const [first = "", second = ""] = docstring.split(/\s+/);
	const word = first.replace(/[,;:.!?]+$/, "").toLowerCase();
	return EMPTY_OPENINGS.has(word) || (word === "the" && /^same\b/i.test(second));
}

/** Checks for names of constants that start with a superlative: `MOST_TRIES`. */
export function isRefusedConstant(name: string): boolean {
	const [first = ""] = splitWords(name);
	return /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name) && REFUSED_SUPERLATIVES.has(first);
}

/** Checks for names of functions that start with a refused verb: `demandName`, `goOn`. */
export function hasRefusedVerb(name: string): boolean {
	const words = splitWords(name);
	return REFUSED_VERBS.some((verb) => verb.every((word, at) => words[at] === word));
}
