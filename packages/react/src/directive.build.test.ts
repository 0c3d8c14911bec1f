import { readFile } from "node:fs/promises";
import ts from "typescript";
import { expect, it } from "vitest";

/** Directives are the strings that a file starts with; the same string further down means nothing. */
async function readDirectives(file: string): Promise<string[]> {
	const path = new URL(`../dist/${file}`, import.meta.url);
	const { statements } = ts.createSourceFile(file, await readFile(path, "utf8"), ts.ScriptTarget.Latest);
	const directives: string[] = [];
	for (const statement of statements) {
		if (!ts.isExpressionStatement(statement) || !ts.isStringLiteral(statement.expression)) break;
		directives.push(statement.expression.text);
	}
	return directives;
}

const load = (file: string): Promise<object> => import(new URL(`../dist/${file}`, import.meta.url).href);

const FILES = ["index.js", "index.cjs", "chat.js", "chat.cjs"];

// Frameworks that render components on servers leave such modules to the browser.
it.each(FILES)('react-server/%s has the directive "use client", and all exports', async (file) => {
	expect(await readDirectives(`react-server/${file}`)).toEqual(["use client"]);
	const [server, page] = await Promise.all([load(`react-server/${file}`), load(file)]);
	expect(server).toEqual(page);
});

// Bundlers of pages warn of directives that they do not know.
it.each(FILES)("%s has no such directive", async (file) => {
	expect(await readDirectives(file)).not.toContain("use client");
});
