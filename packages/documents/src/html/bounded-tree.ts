import { type DefaultTreeAdapterTypes, defaultTreeAdapter, type TreeAdapter } from "parse5";
import { nestingError } from "../unreadable-error";

type HtmlTree = DefaultTreeAdapterTypes.DefaultTreeAdapterMap;

/** Depth of elements. Browsers stop at 512. */
const MAX_ELEMENT_DEPTH = 1_000;
/** A page of a few characters has implied elements, too. */
const EXTRA_ELEMENTS = 1_000;

/**
 * Tree of parse5 that ends the parsing of a page that is nested too deeply, or whose unclosed elements are opened again in
 * so many others that there are more elements than characters. Throws an `UnreadableError`.
 */
export function createBoundedTree(source: string): TreeAdapter<HtmlTree> {
	let depth = 0;
	let elements = 0;
	return {
		...defaultTreeAdapter,
		createElement(...element) {
			elements += 1;
			if (elements > source.length + EXTRA_ELEMENTS) throw nestingError("unclosed elements");
			return defaultTreeAdapter.createElement(...element);
		},
		onItemPush() {
			depth += 1;
			if (depth > MAX_ELEMENT_DEPTH) throw nestingError("elements");
		},
		onItemPop() {
			depth -= 1;
		},
	};
}
