import { createSourceFile, type Node, ScriptTarget, SyntaxKind } from "typescript";
import { describe, expect, it } from "vitest";
import { schemaToType } from "./schema-to-type";
import { writeToolTypes } from "./tool-types";
import { createTypeNames } from "./type-names";

const toType = (schema: unknown): string => schemaToType(schema, createTypeNames(schema, "Root", new Set()));

describe("a schema as a type", () => {
	it.each<readonly [unknown, string]>([
		[true, "unknown"],
		[false, "never"],
		[{}, "unknown"],
		[{ type: "string", format: "date" }, "string"],
		[{ type: "integer" }, "number"],
		[{ type: ["string", "null"] }, "string | null"],
		[{ enum: ["a", 1, null, "a"] }, '"a" | 1 | null'],
		[{ type: "string", enum: ["a"] }, '"a"'],
		[{ const: 'say "hi"' }, '"say \\"hi\\""'],
		[{ enum: [] }, "never"],
		[{ enum: [{ a: 1 }] }, "unknown"],
		[{ type: "array", items: { type: ["string", "number"] } }, "readonly (string | number)[]"],
		[{ type: "array" }, "readonly unknown[]"],
		[{ prefixItems: [{ type: "string" }], items: false }, "readonly [string?]"],
		[
			{ type: "array", items: { type: "array", items: { type: "string" } } },
			"readonly (readonly string[])[]",
		],
		[
			{ type: "array", items: { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] } },
			"readonly ({\n\treadonly a?: unknown;\n} | {\n\treadonly b?: unknown;\n})[]",
		],
		[{ type: "object" }, "Record<string, unknown>"],
		[{ type: "object", additionalProperties: false }, "Record<string, never>"],
		[{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
		[{ anyOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
		[{ allOf: [{ anyOf: [{ type: "string" }, { type: "null" }] }, { const: "a" }] }, '(string | null) & "a"'],
		[{ properties: { a: { type: "string" } }, required: ["a"] }, "{\n\treadonly a: string;\n}"],
		[{ properties: { "a-b": {} } }, '{\n\treadonly "a-b"?: unknown;\n}'],
		[{ $ref: "https://elsewhere.example/schema" }, "unknown"],
		[{ $ref: "#/$defs/none" }, "unknown"],
		[{ $ref: "#/constructor" }, "unknown"],
		[{ type: "nonsense" }, "unknown"],
	])("%j", (schema, type) => {
		expect(toType(schema)).toBe(type);
	});

	it("ends, however deep it is", () => {
		let schema: object = { type: "string" };
		for (let depth = 0; depth < 5000; depth++) schema = { type: "array", items: schema };
		expect(toType(schema)).toContain("unknown");
	});
});

describe("the file of a server's tools", () => {
	const tree = {
		name: "tree",
		description: "Reads a tree.",
		inputSchema: {
			type: "object",
			properties: { root: { $ref: "#/$defs/node" } },
			required: ["root"],
			$defs: {
				node: {
					type: "object",
					properties: {
						name: { type: "string" },
						children: { type: "array", items: { $ref: "#/$defs/node" } },
					},
				},
			},
		},
	};

	it("names what refers to itself", () => {
		expect(writeToolTypes([tree], "Written by a test.")).toBe(`/** Written by a test. */

export type Tools = {
	/** Reads a tree. */
	readonly tree: {
		readonly arguments: TreeArguments;
		readonly result: TreeResult;
	};
};

export type TreeArguments = {
	readonly root: TreeArgumentsNode;
};

export type TreeArgumentsNode = {
	readonly name?: string;
	readonly children?: readonly TreeArgumentsNode[];
};

export type TreeResult = unknown;
`);
	});

	it("keeps tools apart whose names differ in signs alone", () => {
		const text = writeToolTypes(
			["get-it", "get_it", "Tools", "1"].map((name) => ({ name, inputSchema: {} })),
			"",
		);
		const names = [...text.matchAll(/^export type (\w+)/gm)].map(([, name]) => name);
		expect(new Set(names).size).toBe(names.length);
	});

	/** The kinds of its statements: whatever a server says, only types. */
	function listStatements(text: string): SyntaxKind[] {
		const kinds: SyntaxKind[] = [];
		createSourceFile("tools.ts", text, ScriptTarget.ES2022).forEachChild((node: Node) => {
			kinds.push(node.kind);
		});
		return kinds;
	}

	it.each([
		"*/ fetch('https://evil.example') /*",
		"*\u0007/ fetch('https://evil.example') /\u200b*",
		"}; fetch(1); type X = {",
		'"; fetch(1); //',
		"a\u2028fetch(1)",
		"\u202Eesrever\u0000",
		"`$".concat("{fetch(1)}`"),
	])("has nothing but types in it, whatever a server says: %j", (words) => {
		const text = writeToolTypes(
			[
				{
					name: words,
					description: words,
					inputSchema: {
						type: "object",
						properties: { [words]: { description: words, enum: [words] } },
						tsType: words,
						$defs: { [words]: { const: words } },
						allOf: [{ $ref: `#/$defs/${words.replaceAll("~", "~0").replaceAll("/", "~1")}` }],
					},
				},
			],
			words,
		);
		expect(new Set(listStatements(text))).toEqual(
			new Set([SyntaxKind.TypeAliasDeclaration, SyntaxKind.EndOfFileToken]),
		);
		expect(text).not.toMatch(/[\p{Bidi_Control}\u2028]/u);
	});
});
