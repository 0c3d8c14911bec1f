/**
 * Page of typedoc as screen readers need it: its content is the main part, what is beside it a part of its own, and its
 * headings go down one level at a time. What it looks like stays: all of that is attributes.
 */
export const toAccessiblePage = (html: string): string =>
	levelHeadings(html.replace(PART, (tag, name: "content" | "sidebar") => `${tag} role="${ROLES[name]}"`));

const PART = /<div class="col-(content|sidebar)"/g;

const ROLES = { content: "main", sidebar: "complementary" } as const;

const HEADING = /<h([1-6])(?=[\s>])/g;

/** Headings that skip levels get the level that they have among those before them. */
function levelHeadings(html: string): string {
	const above: number[] = [];
	return html.replace(HEADING, (tag, digit: string) => {
		const level = Number(digit);
		while ((above.at(-1) ?? 0) >= level) above.pop();
		above.push(level);
		return above.length === level ? tag : `${tag} aria-level="${above.length}"`;
	});
}
