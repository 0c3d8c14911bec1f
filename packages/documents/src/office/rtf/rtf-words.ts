/** Control words that are characters. */
export const CHARACTERS: Readonly<Record<string, string>> = {
	tab: " ",
	line: "\n",
	emdash: "—",
	endash: "–",
	bullet: "•",
	lquote: "‘",
	rquote: "’",
	ldblquote: "“",
	rdblquote: "”",
	emspace: " ",
	enspace: " ",
	qmspace: " ",
	nestcell: ", ",
	nestrow: "; ",
};

/** Control symbols that are characters; others, such as the optional hyphen, are none. */
export const SYMBOLS: Readonly<Record<string, string>> = {
	"~": " ",
	_: "-",
	"\\": "\\",
	"{": "{",
	"}": "}",
};

/** Destination of the text of a group. */
export type RtfDestination = "text" | "nowhere" | "fonts" | "styles" | "title" | "mark" | "note";

/** Destinations that begin with a word of their own. What is not the document's text goes nowhere. */
export const DESTINATIONS: ReadonlyMap<string, RtfDestination> = new Map([
	["fonttbl", "fonts"],
	["stylesheet", "styles"],
	["title", "title"],
	["listtext", "mark"],
	["pntext", "mark"],
	["footnote", "note"],
	// The same text twice, the second time in Unicode.
	["upr", "nowhere"],
	["ud", "text"],
	...(
		"colortbl info pict object header headerl headerr headerf footer footerl footerr footerf fldinst themedata " +
		"listtable listoverridetable revtbl rsidtbl generator xmlnstbl filetbl annotation atnid atnauthor tc tcf tcl xe " +
		"bkmkstart bkmkend sp nonesttables background comment ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn shppict nonshppict"
	)
		.split(" ")
		.map((word) => [word, "nowhere"] as const),
]);

/** Groups that a reader may skip (`\*`) and that hold text all the same. */
export const OPTIONAL_TEXT = new Set(["shpinst", "nesttableprops", "shptxt"]);
