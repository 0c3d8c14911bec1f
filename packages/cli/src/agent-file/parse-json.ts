import { ConfigurationError } from "@stemma/core/errors";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";

/** Parses JSON; what is not JSON gives an error with the line and column, and what was expected there. */
export function parseJson(text: string, file: string): unknown {
	const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
	try {
		return JSON.parse(json);
	} catch (cause) {
		throw new ConfigurationError(`${file}:${locate(json)}`, { code: "invalid_json", cause });
	}
}

function locate(json: string): string {
	if (json.trim() === "") return "1:1: The file is empty; an agent file holds one JSON object.";
	const errors: ParseError[] = [];
	try {
		parse(json, errors, { disallowComments: true, allowTrailingComma: false });
	} catch {
		return "1:1: Not JSON, and nested too deeply to say where.";
	}
	const [first] = errors;
	if (first === undefined) return "1:1: Not JSON.";
	const before = json.slice(0, first.offset).split(/\r\n|\n|\r/);
	const column = (before.at(-1)?.length ?? 0) + 1;
	return `${before.length}:${column}: Not JSON: ${EXPLANATIONS[printParseErrorCode(first.error)] ?? "unexpected text"}.`;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
	InvalidSymbol: "an unknown word; text needs double quotes",
	InvalidNumberFormat: "a malformed number",
	PropertyNameExpected: "a property name in double quotes is expected (a comma too many?)",
	ValueExpected: "a value is expected (a comma too many?)",
	ColonExpected: "a colon is expected",
	CommaExpected: "a comma is expected",
	CloseBraceExpected: "a closing brace } is expected",
	CloseBracketExpected: "a closing bracket ] is expected",
	EndOfFileExpected: "the end of the file is expected, but more follows",
	InvalidCommentToken: "comments are not allowed",
	UnexpectedEndOfComment: "comments are not allowed",
	UnexpectedEndOfString: "the text has no closing quote",
	UnexpectedEndOfNumber: "the number is cut off",
	InvalidUnicode: "a malformed \\u escape",
	InvalidEscapeCharacter: "an unknown escape after a backslash",
	InvalidCharacter: "a control character that must be escaped",
};
