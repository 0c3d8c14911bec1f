import type * as z from "zod/v4/core";
import { agentGraphSchemas } from "./agent-graph-schema";
import { createSuggest } from "./did-you-mean";
import type { Report } from "./graph-rule";
import { isJsonObject } from "./json";
import {
	describeChoice,
	describeForeignField,
	describeShape,
	describeUnknownField,
	type ShapeIssue,
} from "./shape-message";

type Path = readonly (string | number)[];
type Schemas = Readonly<Record<string, z.$ZodObject>>;

/** The elements of a list, and the field that chooses which others an element has. */
interface Family {
	readonly noun: string;
	readonly choice: string;
	readonly preset?: string;
	readonly schemas: Schemas;
	/** For elements whose choice is none. */
	readonly anyPart: z.$ZodObject;
}

/** Comparing names takes time, so only the first unknown fields get a suggestion. */
const SUGGESTIONS = 500;

/** Reports what the schemas refuse, in our own words. */
export function findShapeIssues(graph: unknown, report: Report): void {
	const suggest = createSuggest(SUGGESTIONS);
	const described = new Map<string, string>();

	function check(schema: z.$ZodObject, at: Path, value: unknown, owner: string, siblings: Schemas): void {
		for (const issue of parse(schema, value)) {
			const within = issue.path ?? [];
			const path = [...at, ...within];
			if (issue.code !== "unrecognized_keys")
				report("invalid_shape", path, describeShape(issue, valueAt(value, within)));
			else
				for (const key of issue.keys)
					report("invalid_shape", [...path, key], describeOnce(key, within, schema, owner, siblings));
		}
	}

	/** The same field is often wrong in many nodes or edges. */
	function describeOnce(
		key: string,
		within: Path,
		schema: z.$ZodObject,
		owner: string,
		siblings: Schemas,
	): string {
		const place = `${owner}.${within.join(".")}.${key}`;
		const message = described.get(place) ?? describeKey(key, within, schema, owner, siblings);
		described.set(place, message);
		return message;
	}

	function describeKey(
		key: string,
		within: Path,
		schema: z.$ZodObject,
		owner: string,
		siblings: Schemas,
	): string {
		const known = Object.keys(shapeAt(schema, within));
		if (within.length > 0) return describeUnknownField(key, `"${within.at(-1)}"`, known, suggest);
		const others = Object.keys(siblings).filter((other) =>
			Object.hasOwn(siblings[other]?._zod.def.shape ?? {}, key),
		);
		if (others.length > 0) return describeForeignField(owner, others);
		return describeUnknownField(key, owner, known, suggest);
	}

	function checkEach(list: string, { noun, choice, preset, schemas, anyPart }: Family): void {
		const elements = isJsonObject(graph) ? graph[list] : undefined;
		if (!Array.isArray(elements)) return;
		const choices = Object.keys(schemas);
		for (const [index, value] of elements.entries()) {
			const given: unknown = isJsonObject(value) ? value[choice] : undefined;
			const chosen = given === undefined ? preset : given;
			const schema = choices.includes(chosen as string) ? schemas[chosen as string] : undefined;
			const at = [list, index];
			if (schema === undefined && isJsonObject(value))
				report("invalid_shape", [...at, choice], describeChoice(chosen, choices, suggest));
			check(schema ?? anyPart, at, value, `${noun} of ${choice} "${chosen}"`, schemas);
		}
	}

	const { graph: root, nodes, edges, anyNode, anyEdge } = agentGraphSchemas;
	check(root, [], graph, "a graph", {});
	checkEach("nodes", { noun: "a node", choice: "kind", schemas: nodes, anyPart: anyNode });
	checkEach("edges", { noun: "an edge", choice: "mode", preset: "call", schemas: edges, anyPart: anyEdge });
}

const SYNCHRONOUS = { async: false };

/** Like `safeParse`, but without an error object and messages of its own, which cost more than the check. */
function parse(schema: z.$ZodType, value: unknown): readonly ShapeIssue[] {
	// Nothing in the schemas is asynchronous.
	const payload = schema._zod.run({ value, issues: [] }, SYNCHRONOUS) as z.ParsePayload;
	return payload.issues as ShapeIssue[];
}

function valueAt(root: unknown, path: Path): unknown {
	let value = root;
	for (const key of path) value = (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key];
	return value;
}

/** The fields of the object schema at a path into another; objects are nested in one another only as optional fields. */
function shapeAt(schema: z.$ZodObject, path: Path): z.$ZodShape {
	let { shape } = schema._zod.def;
	for (const key of path) {
		const field = shape[key] as z.$ZodOptional<z.$ZodObject>;
		shape = field._zod.def.innerType._zod.def.shape;
	}
	return shape;
}
