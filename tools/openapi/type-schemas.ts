import { fileURLToPath } from "node:url";
import {
	type BaseType,
	type ChainNodeParser,
	type Context,
	createFormatter,
	createParser,
	createProgram,
	SchemaGenerator,
	type SubNodeParser,
} from "ts-json-schema-generator";
import ts from "ts-json-schema-generator/node_modules/typescript";
import { type JsonSchema, mapReferences, SCHEMA_REFERENCE, type Schemas, sortByName } from "./json-schema";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Parser of `NoInfer<T>`, which is `T`: the library knows no other intrinsic types than those of text. */
class NoInferParser implements SubNodeParser {
	constructor(private readonly parser: ChainNodeParser) {}

	supportsNode(node: ts.Node): boolean {
		return ts.isTypeReferenceNode(node) && node.typeName.getText() === "NoInfer";
	}

	createType(node: ts.TypeReferenceNode, context: Context): BaseType {
		const [argument] = node.typeArguments ?? [];
		if (argument === undefined) throw new Error("NoInfer has no argument.");
		return this.parser.createType(argument, context);
	}
}

/**
 * Makes JSON Schemas of the members of an interface, and of all types that they name. Docstrings become descriptions.
 *
 * @param path - file of the interface, from the root of the repository.
 */
export function createTypeSchemas(path: string, type: string): Schemas {
	const config = {
		path: root + path,
		tsconfig: `${root}tsconfig.base.json`,
		type,
		skipTypeCheck: true,
		// Clients ignore fields that they do not know.
		additionalProperties: true,
		expose: "export",
		jsDoc: "extended",
		topRef: false,
		sortProps: false,
	} as const;
	const program = createProgram(config);
	const parser = createParser(program, config, (chain) => {
		chain.addNodeParser(new NoInferParser(chain as ChainNodeParser));
	});
	const generator = new SchemaGenerator(program, parser, createFormatter(config), config);
	const { definitions = {}, properties = {} } = generator.createSchema(type) as {
		readonly definitions?: Schemas;
		readonly properties?: Schemas;
	};
	// A member with a type of its own name needs no schema beside that of the type.
	const members = Object.entries(properties).filter(([name]) => definitions[name] === undefined);
	const schemas = { ...definitions, ...Object.fromEntries(members) };
	return sortByName(
		Object.fromEntries(
			Object.entries(schemas).map(([name, schema]) => [toComponentName(name), toComponent(schema)]),
		),
	);
}

const DEFINITION = "#/definitions/";

const toComponent = (schema: JsonSchema): JsonSchema =>
	mapReferences(schema, (reference) =>
		reference.startsWith(DEFINITION)
			? SCHEMA_REFERENCE + toComponentName(decodeURIComponent(reference.slice(DEFINITION.length)))
			: reference,
	);

/** Name of a component: `Page<KnowledgeBase>` has letters that components may not have. */
const toComponentName = (name: string): string =>
	name.replace(/[<,]/g, "_").replace(/[^\w.-]/g, "");
