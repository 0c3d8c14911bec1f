import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { TOKENIZER } from "../../../sqlite/knowledge/search/word-index";

/** Longest token that a `tsvector` and a B-tree take as it is. */
const MAX_TOKEN_BYTES = 1_000;
/** Characters that longer ones keep, by which queries find their beginnings. */
const KEPT_CHARACTERS = 64;

/** Tokens of texts as FTS5 makes them, whose tables of characters are its own: a full-text table in memory, always empty. */
export interface Tokenizer {
	/** Returns the tokens of each text, in their order. */
	tokenize(texts: readonly string[]): readonly (readonly string[])[];
}

interface TokenRow {
	readonly doc: number;
	readonly offset: number;
	readonly term: string;
}

const CREATE_TABLES = `
CREATE VIRTUAL TABLE texts USING fts5 (text, content = '', tokenize = '${TOKENIZER.replaceAll("'", "''")}');
CREATE VIRTUAL TABLE tokens USING fts5vocab (texts, instance);`;

export function createTokenizer(): Tokenizer {
	const database = new DatabaseSync(":memory:");
	database.exec(CREATE_TABLES);
	const insert = database.prepare("INSERT INTO texts (rowid, text) VALUES (?, ?)");
	const select = database.prepare("SELECT doc, offset, term FROM tokens");
	const clear = database.prepare("INSERT INTO texts (texts) VALUES ('delete-all')");
	return {
		tokenize(texts) {
			const tokens: string[][] = texts.map(() => []);
			database.exec("BEGIN");
			texts.forEach((text, index) => {
				if (text !== "") insert.run(index, text);
			});
			// The SQL names the columns, and their types are those of FTS5.
			for (const { doc, offset, term } of select.iterate() as Iterable<unknown> as Iterable<TokenRow>) {
				const list = tokens[doc];
				if (list !== undefined) list[offset] = toStorable(term);
			}
			clear.run();
			database.exec("COMMIT");
			return tokens;
		},
	};
}

/** Replaces a token that is too long by its beginning and its hash. */
function toStorable(token: string): string {
	if (token.length * 3 <= MAX_TOKEN_BYTES || Buffer.byteLength(token) <= MAX_TOKEN_BYTES) return token;
	const beginning = [...token.slice(0, 2 * KEPT_CHARACTERS)].slice(0, KEPT_CHARACTERS).join("");
	return `${beginning}${createHash("sha256").update(token).digest("hex")}`;
}
