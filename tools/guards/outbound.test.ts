import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const sources = fileURLToPath(new URL("../../packages/service/src/", import.meta.url));

/** Files, and folders with a slash at their end, that may reach for the network themselves, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
	"outbound/": "is the gate",
	"start-service.ts": "listens, and calls nobody",
	"http/node-server.ts": "listens, and calls nobody",
	"processes/serve-process.ts": "opens the socket to its own parent, and calls nobody",
	"knowledge/external-readers/external-readers.ts":
		"calls the addresses of the operator's configuration alone",
	"people/oidc/issuer-fetch.ts": "calls the issuers of the operator's configuration alone",
	"models/ambient-aws/":
		"asks for the credentials of the machine, at link-local addresses that the gate never opens",
};

const WHAT_TO_DO =
	"call `fetch` of the outbound gate (outbound/outbound-gate.ts), or hand it to the library as its `fetch`; else name the file in tools/guards/outbound.test.ts, with the reason";

const MODULES = /^(node:)?(http|https|http2|net|tls|dgram|dns|dns\/promises)$|^undici$|^@(aws-sdk|smithy)\//;
const GLOBALS: ReadonlySet<string> = new Set(["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]);
const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(["globalThis", "global", "self", "window"]);
const LOADERS: ReadonlySet<string> = new Set(["require", "getBuiltinModule"]);

/** Each place where a source reaches for the network past the gate: `file:line: what …`. */
function findViolations(file: string, code: string): string[] {
	if (Object.keys(EXCEPTIONS).some((path) => (path.endsWith("/") ? file.startsWith(path) : file === path)))
		return [];
	const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		const what = readModule(node) ?? readGlobal(node);
		if (what !== undefined) {
			const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
			found.push(`${file}:${line}: ${what} goes past the outbound gate: ${WHAT_TO_DO}`);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** A module of the network that is loaded, in whichever way. */
function readModule(node: ts.Node): string | undefined {
	if (!ts.isStringLiteralLike(node) || !MODULES.test(node.text)) return undefined;
	const { parent } = node;
	const isLoaded =
		ts.isImportDeclaration(parent) ||
		ts.isExportDeclaration(parent) ||
		ts.isExternalModuleReference(parent) ||
		(ts.isCallExpression(parent) && isLoader(parent.expression));
	return isLoaded ? `"${node.text}"` : undefined;
}

const isLoader = (callee: ts.Expression): boolean =>
	callee.kind === ts.SyntaxKind.ImportKeyword ||
	(ts.isIdentifier(callee) && LOADERS.has(callee.text)) ||
	(ts.isPropertyAccessExpression(callee) && LOADERS.has(callee.name.text));

/** `fetch` and its like as a value of the platform: not a property or a parameter of that name, and no type. */
function readGlobal(node: ts.Node): string | undefined {
	if (ts.isPropertyAccessExpression(node) && isGlobalObject(node.expression))
		return GLOBALS.has(node.name.text) ? `\`${node.getText()}\`` : undefined;
	if (ts.isElementAccessExpression(node) && isGlobalObject(node.expression))
		return /fetch|WebSocket|EventSource|XMLHttpRequest/.test(node.argumentExpression.getText())
			? `\`${node.getText()}\``
			: undefined;
	if (!ts.isIdentifier(node) || !GLOBALS.has(node.text) || !isValue(node)) return undefined;
	return isDeclared(node.text, node) ? undefined : `\`${node.text}\``;
}

const isGlobalObject = (node: ts.Expression): boolean =>
	ts.isIdentifier(node) && GLOBAL_OBJECTS.has(node.text);

function isValue(node: ts.Identifier): boolean {
	const { parent } = node;
	if (ts.isShorthandPropertyAssignment(parent)) return true;
	// The name of something: `x.fetch`, `{ fetch: … }`, `fetch() { … }`, `(fetch) =>`, a member of a type.
	return !("name" in parent && parent.name === node) && !isNameOfBinding(node) && !ts.isTypeNode(parent);
}

/** `fetch` in `{ fetch: own } = options`, which is a property; not where that is the platform itself. */
function isNameOfBinding({ parent, text }: ts.Identifier): boolean {
	if (!ts.isBindingElement(parent) || parent.propertyName?.getText() !== text) return false;
	const { initializer } = parent.parent.parent as ts.VariableDeclaration | ts.ParameterDeclaration;
	return initializer === undefined || !isGlobalObject(initializer);
}

/** Whether a parameter or variable around the place has that name: what it holds was handed in. */
function isDeclared(name: string, place: ts.Node): boolean {
	for (let scope: ts.Node | undefined = place.parent; scope !== undefined; scope = scope.parent) {
		const declared = ts.isFunctionLike(scope)
			? scope.parameters.flatMap(({ name: binding }) => listNames(binding))
			: ts.isBlock(scope) || ts.isSourceFile(scope)
				? scope.statements.flatMap(listStatementNames)
				: [];
		if (declared.includes(name)) return true;
	}
	return false;
}

const listStatementNames = (statement: ts.Statement): string[] => {
	if (ts.isVariableStatement(statement))
		return statement.declarationList.declarations.flatMap(({ name }) => listNames(name));
	return ts.isFunctionDeclaration(statement) && statement.name !== undefined ? [statement.name.text] : [];
};

const listNames = (name: ts.BindingName): string[] =>
	ts.isIdentifier(name)
		? [name.text]
		: name.elements.flatMap((element) => (ts.isBindingElement(element) ? listNames(element.name) : []));

/** All of the service but its tests. */
const listSources = (): string[] =>
	readdirSync(sources, { recursive: true, encoding: "utf8" })
		.map((file) => file.replaceAll("\\", "/"))
		.filter(
			(file) => /\.[mc]?ts$/.test(file) && !/\.test\.|test-support\/|__fixtures__\/|\.d\.ts$/.test(file),
		);

const read = (file: string): string => readFileSync(join(sources, file), "utf8");

describe("the service", () => {
	it("calls nobody but through the outbound gate", () => {
		const files = listSources();
		expect(files.length).toBeGreaterThan(100);
		expect(files.flatMap((file) => findViolations(file, read(file)))).toEqual([]);
	}, 600_000);

	it.each(Object.keys(EXCEPTIONS))("still needs the exception of %s", (path) => {
		const files = listSources().filter((file) =>
			path.endsWith("/") ? file.startsWith(path) : file === path,
		);
		// Under another name nothing is excepted.
		const found = files.flatMap((file) => findViolations(`elsewhere/${file}`, read(file)));
		expect([existsSync(join(sources, path)), found.length > 0]).toEqual([true, true]);
	});
});

describe("this guard", () => {
	it.each([
		'fetch("https://example.com");',
		'export const load = (url: string) => fetch(url, { method: "POST" });',
		"globalThis.fetch(url);",
		'globalThis["fetch"](url);',
		"const { fetch: send } = globalThis;",
		"const call = fetch;",
		"const call = { fetch };",
		"createModel({ baseUrl, fetch: fetch });",
		"const send = ({ fetch = globalThis.fetch }) => fetch(url);",
		"new WebSocket(url);",
		"new EventSource(url);",
		"new globalThis.WebSocket(url);",
		"new XMLHttpRequest();",
		'import { request } from "node:http";',
		'import https from "node:https";',
		'import * as h2 from "node:http2";',
		'import { connect } from "net";',
		'import type { Socket } from "node:net";',
		'import "node:tls";',
		'import { createSocket } from "node:dgram";',
		'import { lookup } from "node:dns";',
		'import { resolve } from "node:dns/promises";',
		'import { Agent } from "undici";',
		'import { fromNodeProviderChain } from "@aws-sdk/credential-provider-node";',
		'export { request } from "node:http";',
		'import http = require("http");',
		'const http = await import("node:http");',
		"const http = await import(`node:http`);",
		'const http = require("node:http");',
		'const net = process.getBuiltinModule("node:net");',
	])("sees %s", (code) => {
		const [violation = "", ...others] = findViolations("some/file.ts", `// A comment.\n\n${code}\n`);
		expect(others).toEqual([]);
		expect(violation).toMatch(
			/^some\/file\.ts:3: .+ goes past the outbound gate: call `fetch` of the outbound gate/,
		);
	});

	it.each([
		"gate.fetch(url);",
		"service?.fetch(request);",
		"interface Gate { readonly fetch: (url: string) => Promise<Response>; fetch(request: Request): Response }",
		"const service = { fetch: async (request: Request) => app.fetch(request), fetch() { return 1; } };",
		"const create = ({ fetch, memory }: Reach) => createModel({ fetch, memory });",
		"function create(fetch: FetchLike) { return fetch(url); }",
		"function create(options: Options) { const { fetch } = options; return () => fetch(url); }",
		"const { fetch: own = gate.fetch } = options;",
		"type Fetch = typeof fetch;",
		'const text = "fetch(url) of node:http"; // fetch(url)',
		'const kind = type === "undici";',
		'import { readFile } from "node:fs/promises";',
		'import { Hono } from "hono";',
	])("lets %s be", (code) => {
		expect(findViolations("some/file.ts", code)).toEqual([]);
	});

	it("knows modules that there are", () => {
		for (const name of ["http", "https", "http2", "net", "tls", "dgram", "dns", "dns/promises"])
			expect([MODULES.test(name), MODULES.test(`node:${name}`), isBuiltin(name)]).toEqual([true, true, true]);
	});
});
