import { toDocComment } from "./doc-comment";
import { schemaToType, toKey } from "./schema-to-type";
import { createTypeNames, toTypeName } from "./type-names";

/** Tool in a server's list, with the fields that are used. */
export interface ListedTool {
	readonly name: string;
	readonly description?: string | undefined;
	readonly inputSchema: unknown;
	readonly outputSchema?: unknown;
}

/**
 * A TypeScript file with the types of a server's tools: `Tools`, by name, each with `arguments` and `result`, for
 * `createMcpClient<Tools>(…)`.
 *
 * @param header - lines of a comment at its start.
 */
export function writeToolTypes(tools: readonly ListedTool[], header: string): string {
	const usedNames = new Set(["Tools"]);
	const named: string[] = [];
	const entries = tools.map((tool) => {
		const base = toTypeName(tool.name, usedNames);
		named.push(
			...declare(tool.inputSchema, `${base}Arguments`, usedNames),
			...declare(tool.outputSchema ?? true, `${base}Result`, usedNames),
		);
		const comment = toDocComment(tool.description, "\t");
		return `${comment}\treadonly ${toKey(tool.name)}: {\n\t\treadonly arguments: ${base}Arguments;\n\t\treadonly result: ${base}Result;\n\t};\n`;
	});
	return `${toDocComment(header, "")}\nexport type Tools = {\n${entries.join("")}};\n\n${named.join("\n")}`;
}

/** A schema under its name, and all that it refers to. */
function declare(schema: unknown, name: string, usedNames: Set<string>): string[] {
	usedNames.add(name);
	const names = createTypeNames(schema, name, usedNames);
	const texts = [`export type ${name} = ${schemaToType(schema, names)};\n`];
	for (let found = names.takePending(); found.length > 0; found = names.takePending())
		for (const one of found) texts.push(`export type ${one.name} = ${schemaToType(one.schema, names)};\n`);
	return texts;
}
