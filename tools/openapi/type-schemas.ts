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
import { type JsonSchema, mapReferences, SCHEMA_REFERENCE, type Schemas, sortByName } from "./json-schema";

const root = fileURLToPath(new URL("../../", import.meta.url));

type Node = Parameters<SubNodeParser["createType"]>[0];

/** Node that names a type, as far as it is needed: the library has a TypeScript of its own. */
interface TypeReference {
	readonly typeName: { getText(): string };
	readonly typeArguments?: readonly Node[];
}

const isTypeReference = (node: Node): node is Node & TypeReference => "typeName" in node;

/** Creates a parser of `NoInfer<T>`, which is `T`: the library knows no other intrinsic types than those of text. */
const createNoInferParser = (parser: ChainNodeParser): SubNodeParser => ({
	supportsNode: (node) => isTypeReference(node) && node.typeName.getText() === "NoInfer",
	createType(node: Node, context: Context): BaseType {
		const [argument] = isTypeReference(node) ? (node.typeArguments ?? []) : [];
		if (argument === undefined) throw new Error("NoInfer has no argument.");
		return parser.createType(argument, context);
	},
});

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
		chain.addNodeParser(createNoInferParser(chain as ChainNodeParser));
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
			Object.entries(schemas).map(([name, schema]) => [
				toComponentName(name),
				toWireEvent(name, toComponent(schema)),
			]),
		),
	);
}

const text = { type: "string" };
/** What the wire has beside the fields of the engine's event. */
const STARTED_FIELDS = { run_token: text, thread_id: text, message_id: text };

/** Event as the wire has it: `WireRunEvent` of the client says so by a type that the library cannot follow. */
function toWireEvent(name: string, schema: JsonSchema): JsonSchema {
	const { properties } = schema as { readonly properties?: Schemas };
	if (!name.endsWith("Event") || properties?.at === undefined || properties.seq === undefined) return schema;
	const at = { ...text, format: "date-time" };
	return {
		...schema,
		properties: { ...properties, at, ...(name === "RunStartedEvent" && STARTED_FIELDS) },
	};
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
