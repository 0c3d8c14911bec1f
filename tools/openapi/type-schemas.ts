import { fileURLToPath } from "node:url";
import {
	type BaseType,
	type ChainNodeParser,
	type CompletedConfig,
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

/** Makes JSON Schemas of the members of an interface, and of all types that they name. */
export type CreateTypeSchemas = (type: string) => Schemas;

/**
 * Opens a file with interfaces, and what it imports; takes seconds. Docstrings become descriptions.
 *
 * @param path - from the root of the repository.
 */
export function openTypes(path: string): CreateTypeSchemas {
	// The library has defaults for what is left out, and a type that does not say so.
	const config = {
		path: root + path,
		tsconfig: `${root}tsconfig.base.json`,
		skipTypeCheck: true,
		// Clients ignore fields that they do not know.
		additionalProperties: true,
		expose: "export",
		jsDoc: "extended",
		topRef: false,
	} as CompletedConfig;
	const program = createProgram(config);
	const parser = createParser(program, config, (chain) => {
		chain.addNodeParser(createNoInferParser(chain as ChainNodeParser));
	});
	const generator = new SchemaGenerator(program, parser, createFormatter(config), config);
	return (type) => toComponents(generator.createSchema(type) as GeneratedSchema);
}

/** Schema of an interface as the library makes it. */
interface GeneratedSchema {
	readonly definitions?: Schemas;
	readonly properties?: Schemas;
}

function toComponents({ definitions = {}, properties = {} }: GeneratedSchema): Schemas {
	const names = new Map<string, string>();
	for (const [name, { $ref }] of Object.entries(properties)) {
		const type = decodeURIComponent(String($ref ?? "").slice(DEFINITION.length));
		// `Page<KnowledgeBase>` has the name of the member that is it.
		if (type.includes("<")) names.set(type, name);
		else if (type !== name && definitions[name] !== undefined)
			throw new Error(`The member ${name} has the name of another type.`);
	}
	const members = Object.entries(properties).filter(([name]) => definitions[name] === undefined);
	const isNamed = ({ $ref }: JsonSchema): boolean =>
		names.has(decodeURIComponent(String($ref ?? "").slice(DEFINITION.length)));
	const schemas = [...Object.entries(definitions), ...members.filter(([, schema]) => !isNamed(schema))];
	return sortByName(
		Object.fromEntries(
			schemas.map(([name, schema]) => [
				names.get(name) ?? toComponentName(name),
				withTimes(toWireEvent(name, toComponent(schema, names))),
			]),
		),
	);
}

const text = { type: "string" };
/** What the wire has beside the fields of the engine's event. */
const STARTED_FIELDS = { run_token: text, thread_id: text, message_id: text };

/** Event as the wire has it: `WireRunEvent` of the client says so by a type that the library cannot follow. */
function toWireEvent(name: string, schema: JsonSchema): JsonSchema {
	if (!name.endsWith("Event")) return schema;
	if (Array.isArray(schema.anyOf))
		return { ...schema, anyOf: schema.anyOf.map((part: JsonSchema) => toWireEvent(name, part)) };
	const { properties } = schema as { readonly properties?: Schemas };
	if (properties?.at === undefined || properties.seq === undefined) return schema;
	return {
		...schema,
		properties: { ...properties, at: text, ...(name === "RunStartedEvent" && STARTED_FIELDS) },
	};
}

/** Fields that are times, RFC 3339, by their names; elsewhere in the API a text has no such name. */
const TIME_FIELD = /^at$|_at$/;

/** Says of the fields that are times that they are. */
function withTimes(schema: JsonSchema): JsonSchema;
function withTimes(schema: unknown): unknown;
function withTimes(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(withTimes);
	if (typeof schema !== "object" || schema === null) return schema;
	return Object.fromEntries(
		Object.entries(schema).map(([name, part]) => [
			name,
			TIME_FIELD.test(name) && isText(part) ? { ...part, format: "date-time" } : withTimes(part),
		]),
	);
}

const isText = (schema: unknown): schema is JsonSchema =>
	typeof schema === "object" &&
	schema !== null &&
	"type" in schema &&
	[schema.type].flat().includes("string") &&
	!("enum" in schema);

const DEFINITION = "#/definitions/";

const toComponent = (schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema =>
	mapReferences(schema, (reference) => {
		if (!reference.startsWith(DEFINITION)) return reference;
		const name = decodeURIComponent(reference.slice(DEFINITION.length));
		return SCHEMA_REFERENCE + (names.get(name) ?? toComponentName(name));
	});

/** Name of a component: types with parameters have letters that components may not have. */
const toComponentName = (name: string): string => name.replace(/[<,]/g, "_").replace(/[^\w.-]/g, "");
