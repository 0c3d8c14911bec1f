/**
 * Text without one character at its end, however often it is there. A regular expression such as `/\\/+$/` takes the square
 * of the time where there are many of them before something else.
 */
export function trimEndOf(text: string, character: string): string {
	let end = text.length;
	while (end > 0 && text[end - 1] === character) end--;
	return text.slice(0, end);
}
