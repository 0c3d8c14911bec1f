/** Maximum number of placeholders of one node that are shown. */
const MAX_SHOWN = 5;

/**
 * Pattern of text that begins like `{{context.path}}` but is not one. Braces followed by quotes or braces are mostly
 * examples of JSON, and not matched.
 */
const INVALID_PLACEHOLDER = /\{\{(?!\s*context\.[^{}\s]+\s*\}\})[ \t]*([\w#/.$>&^!][^{}\n]{0,60})(?:\}\})?/g;

/**
 * Finds text in instructions that was probably meant to be filled from the context but is left as it is. Returns
 * sentences.
 */
export function findInvalidPlaceholders(instructions: string): string[] {
	const found = new Map<string, string>();
	for (const match of instructions.matchAll(INVALID_PLACEHOLDER))
		if (!found.has(match[0])) found.set(match[0], describe(match));
	const others = found.size - MAX_SHOWN;
	return [
		...[...found.values()].slice(0, MAX_SHOWN),
		...(others > 0 ? [`${others} more of its instructions are not placeholders either`] : []),
	];
}

function describe([text, content = ""]: RegExpExecArray): string {
	const [path] = /^[\w-]+(?:\.[\w-]+)*/.exec(content.replace(/^[$.]*(?:context\.)?/i, "")) ?? [];
	const shown = text.endsWith("}}") ? text : `{{ ${content.split(/\s/, 1)[0]}`;
	const hint =
		path === undefined || path.toLowerCase() === "context"
			? "only {{context.path}} is filled"
			: `did you mean {{context.${path}}}?`;
	return `"${shown}" in its instructions is not a placeholder; ${hint}`;
}
