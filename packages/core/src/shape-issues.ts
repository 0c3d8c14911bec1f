import type * as z from "zod/v4/core";
import { getAgentGraphSchemas } from "./agent-graph-schema";
import { createSuggest } from "./did-you-mean";
import type { Report } from "./graph-rule";
import { isJsonObject } from "./json";
import {
	describeChoice,
	describeForeignField,
	describeShape,
	describeUnknownField,
	fieldsOf,
	isOptional,
	type ShapeIssue,
} from "./shape-message";

type Path = readonly (string | number)[];
type Schemas = Readonly<Record<string, z.$ZodObject>>;

/** What a schema stands for in messages, and what one field could have chosen instead. */
interface Owner {
	readonly name: string;
	readonly siblings: Schemas;
}

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
	const described = new Map<z.$ZodObject, Map<string, string>>();

	/** Field by field: zod's own walk would copy every object that it checks. */
	function check(schema: z.$ZodObject, value: unknown, owner: Owner, ...at: Path): void {
		if (!isJsonObject(value)) return checkWhole(schema, value, at);
		const shape = fieldsOf(schema);
		for (const key in shape) {
			const field = shape[key];
			const given = value[key];
			if (field === undefined || (given === undefined && isOptional(field))) continue;
			checkWhole(field, given, at, key);
		}
		for (const key in value)
			if (!Object.hasOwn(shape, key))
				report("invalid_shape", at.concat(key), describeKey(key, schema, owner));
	}

	function checkWhole(part: z.$ZodType, value: unknown, at: Path, ...within: Path): void {
		for (const issue of parse(part, value)) {
			const place = at.concat(within, issue.path ?? []);
			if (issue.code !== "unrecognized_keys") report("invalid_shape", place, describeShape(issue));
			else
				for (const key of issue.keys)
					report(
						"invalid_shape",
						place.concat(key),
						describeUnknownField(key, `"${place.at(-1)}"`, fieldsOf(issue.inst), suggest),
					);
		}
	}

	function describeKey(key: string, schema: z.$ZodObject, owner: Owner): string {
		// The same field is often wrong in many nodes or edges.
		const known = described.get(schema) ?? new Map<string, string>();
		const message = known.get(key) ?? describeOwnKey(key, schema, owner);
		described.set(schema, known.set(key, message));
		return message;
	}

	function describeOwnKey(key: string, schema: z.$ZodObject, { name, siblings }: Owner): string {
		const others = Object.keys(siblings).filter((other) =>
			Object.hasOwn(fieldsOf(siblings[other] ?? schema), key),
		);
		if (others.length > 0) return describeForeignField(name, others);
		return describeUnknownField(key, name, fieldsOf(schema), suggest);
	}

	function checkEach(list: string, { noun, choice, preset, schemas, anyPart }: Family): void {
		const elements: unknown = isJsonObject(graph) ? graph[list] : undefined;
		if (!Array.isArray(elements)) return;
		const owners = new Map<unknown, Owner>();
		for (const chosen of Object.keys(schemas))
			owners.set(chosen, { name: `${noun} of ${choice} "${chosen}"`, siblings: schemas });
		const nobody: Owner = { name: noun, siblings: schemas };
		for (let index = 0; index < elements.length; index++) {
			const value: unknown = elements[index];
			const given: unknown = isJsonObject(value) ? value[choice] : undefined;
			const chosen = given === undefined ? preset : given;
			const owner = owners.get(chosen);
			if (owner === undefined && isJsonObject(value))
				report("invalid_shape", [list, index, choice], describeChoice(chosen, Object.keys(schemas), suggest));
			check(
				owner === undefined ? anyPart : (schemas[String(chosen)] ?? anyPart),
				value,
				owner ?? nobody,
				list,
				index,
			);
		}
	}

	const { graph: root, nodes, edges, anyNode, anyEdge } = getAgentGraphSchemas();
	check(root, withoutElements(graph), { name: "a graph", siblings: {} });
	checkEach("nodes", { noun: "a node", choice: "kind", schemas: nodes, anyPart: anyNode });
	checkEach("edges", { noun: "an edge", choice: "mode", preset: "call", schemas: edges, anyPart: anyEdge });
}

/** The elements of lists are checked on their own. */
function withoutElements(graph: unknown): unknown {
	if (!isJsonObject(graph)) return graph;
	return Object.fromEntries(
		Object.entries(graph).map(([key, value]) => [key, Array.isArray(value) ? [] : value]),
	);
}

const SYNCHRONOUS = { async: false };

/** Like `safeParse`, but without an error object and messages of its own, which cost more than the check. */
function parse(schema: z.$ZodType, value: unknown): readonly ShapeIssue[] {
	// Nothing in the schemas is asynchronous.
	const payload = schema._zod.run({ value, issues: [] }, SYNCHRONOUS) as z.ParsePayload;
	return payload.issues as ShapeIssue[];
}
