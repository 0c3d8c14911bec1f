import { createRequire } from "node:module";

/** The parser of the linter of Compose files, which is the only one here. */
const fromLinter = createRequire(createRequire(import.meta.url).resolve("dclint/package.json"));
const { parseAllDocuments } = fromLinter("yaml") as {
	parseAllDocuments(text: string, options: object): readonly YamlDocument[];
};

interface YamlDocument {
	readonly errors: readonly Error[];
	toJS(): unknown;
}

/** Parses all documents of a YAML text. @throws where it is none. */
export function parseYamlDocuments(text: string): readonly unknown[] {
	return parseAllDocuments(text, { merge: true }).map((document) => {
		if (document.errors[0] !== undefined) throw document.errors[0];
		return document.toJS();
	});
}

/** Parses a YAML text of one document. @throws where it is none. */
export const parseYaml = (text: string): unknown => parseYamlDocuments(text)[0];
