/** A text in words, each with the space around it: joined, they are the text. */
export const splitWords = (text: string): readonly string[] =>
	text.match(/\s*\S+\s*/g) ?? (text === "" ? [] : [text]);
