/** One element of a pattern: an escape, a quantifier, or a character. */
const ELEMENT = /\\(?:c[A-Za-z]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|[\s\S])|\{\d+(?:,\d*)?\}|[\s\S]/g;
const CLASS_ESCAPE = /^\\[dDsSwW]/;
/** An escape of a character that needs none: `\:`. */
const NEEDLESS_ESCAPE = /^\\(?:_|[^\w^$\\.*+?()[\]{}|/])$/;

/** Tells whether a text is a regular expression. */
export function isPattern(pattern: string, flags: string): boolean {
	try {
		new RegExp(pattern, flags);
		return true;
	} catch {
		return false;
	}
}

/**
 * Rewrites a pattern that is legal without the flag `u` alone (ECMA-262, annex B.1.2), so that it means the same with the
 * flag: `[\w-.]` becomes `[\w\-.]`. Other patterns are returned unchanged.
 */
export function toUnicodePattern(pattern: string): string {
	if (isPattern(pattern, "u") || !isPattern(pattern, "")) return pattern;
	let isInClass = false;
	let previous = "";
	const rewritten = pattern.replace(ELEMENT, (element, offset: number) => {
		const next = pattern.slice(offset + element.length);
		const written = isInClass ? rewriteInClass(element, previous, next) : rewriteOutsideClass(element);
		if (element === "[") isInClass = true;
		else if (element === "]") isInClass = false;
		previous = element;
		return written;
	});
	return isPattern(rewritten, "u") ? rewritten : pattern;
}

function rewriteInClass(element: string, previous: string, next: string): string {
	if (element === "-" && (CLASS_ESCAPE.test(previous) || CLASS_ESCAPE.test(next))) return "\\-";
	return element === "\\-" ? element : dropNeedlessEscape(element);
}

const rewriteOutsideClass = (element: string): string =>
	element === "{" || element === "}" || element === "]" ? `\\${element}` : dropNeedlessEscape(element);

const dropNeedlessEscape = (element: string): string =>
	NEEDLESS_ESCAPE.test(element) ? element.slice(1) : element;
