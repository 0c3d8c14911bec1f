/** Characters that JSON lets stand and a terminal obeys or does not show. */
const INVISIBLE = /[\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** JSON in one line for programs, the same for them: what a terminal would obey or not show is written as `\u202e`. */
export const formatJson = (value: unknown): string =>
	JSON.stringify(value).replace(INVISIBLE, (character) =>
		Array.from({ length: character.length }, (_, at) => toEscape(character.charCodeAt(at))).join(""),
	);

const toEscape = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;
