/** Kind of a tag, by what its start and its end do to the elements that are open (HTML, "The rules for parsing tokens"). */
export type TagKind =
	| "block"
	| "preformatted"
	| "heading"
	| "list-item"
	| "definition"
	| "form"
	| "button"
	| "object"
	| "void"
	| "rule"
	| "formatting"
	| "metadata"
	| "raw"
	| "choice"
	| "drawing"
	| "table"
	| "caption"
	| "columns"
	| "column"
	| "section"
	| "row"
	| "cell"
	| "page"
	| "odd"
	| "inline";

/** Rules of one tag. */
export interface TagRule {
	readonly name: string;
	readonly kind: TagKind;
	/** Ends the search for an element that an end tag closes ("special"). */
	readonly isSpecial: boolean;
	/** Ends every scope of elements but that of tables. */
	readonly endsScope: boolean;
	/** Mark of an element whose end tag may be left out. */
	readonly hasImpliedEnd: boolean;
}

/** Tags of each kind. Those of `odd` change the tree in ways that only a full parser knows. */
const TAGS: readonly (readonly [kind: TagKind, names: string])[] = [
	[
		"block",
		"address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header " +
			"hgroup main menu nav ol p search section summary ul",
	],
	["preformatted", "pre"],
	["heading", "h1 h2 h3 h4 h5 h6"],
	["list-item", "li"],
	["definition", "dd dt"],
	["form", "form"],
	["button", "button"],
	["object", "object"],
	["void", "area br embed img input param source track wbr"],
	["rule", "hr"],
	["formatting", "a b big code em font i s small strike strong tt u"],
	["metadata", "base link meta"],
	["raw", "iframe noscript script style textarea title"],
	["choice", "select"],
	["drawing", "svg"],
	["table", "table"],
	["caption", "caption"],
	["columns", "colgroup"],
	["column", "col"],
	["section", "tbody tfoot thead"],
	["row", "tr"],
	["cell", "td th"],
	["page", "body head html"],
	[
		"odd",
		"applet basefont bgsound frame frameset image keygen listing marquee math nobr noembed noframes optgroup option " +
			"plaintext rb rp rt rtc template xmp",
	],
];

const NOT_SPECIAL = new Set("dialog search svg".split(" "));
const SCOPE_ENDS = new Set("caption html object table td th".split(" "));
const IMPLIED_ENDS = new Set("dd dt li p".split(" "));

const RULES: ReadonlyMap<string, TagRule> = new Map(
	TAGS.flatMap(([kind, names]) => names.split(" ").map((name) => [name, toRule(name, kind)])),
);

function toRule(name: string, kind: TagKind): TagRule {
	return {
		name,
		kind,
		isSpecial: kind !== "inline" && kind !== "formatting" && !NOT_SPECIAL.has(name),
		endsScope: SCOPE_ENDS.has(name),
		hasImpliedEnd: IMPLIED_ENDS.has(name),
	};
}

/** Finds the rules of a tag by its name, in any case. */
export function findTagRule(name: string): TagRule {
	const rule = RULES.get(name);
	if (rule !== undefined) return rule;
	const lower = name.toLowerCase();
	return RULES.get(lower) ?? toRule(lower, "inline");
}
