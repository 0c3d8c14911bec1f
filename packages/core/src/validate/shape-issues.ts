import type * as z from "zod/v4/core";
import { getAgentGraphSchemas } from "../graph/agent-graph-schema";
import { createSuggest, type Suggest } from "../internal/did-you-mean";
import { isJsonObject } from "../json";
import {
	describeChoice,
	describeMisplacedField,
	describeUnknownField,
	fieldsOf,
	formatIssue,
	isOptional,
	type ShapeIssue,
} from "./format-issue";
import type { Report } from "./rule";

type Path = readonly (string | number)[];
type Schemas = Readonly<Record<string, z.$ZodObject>>;

/** Name of a schema in messages, and the schemas that could have been chosen instead. */
interface Owner {
	readonly name: string;
	readonly siblings: Schemas;
}

/** The elements of a list, and the field that chooses which others an element has. */
interface ElementList {
	readonly noun: string;
	readonly discriminator: string;
	readonly defaultChoice?: string;
	readonly schemas: Schemas;
	/** Schema for elements whose choice is not known. */
	readonly fallback: z.$ZodObject;
}

/** Comparing names takes time, so only the first unknown fields get a suggestion. */
const MAX_SUGGESTIONS = 500;

/** Reports what the schemas refuse, in our own words. */
export function findShapeIssues(graph: unknown, report: Report): void {
	const suggest = createSuggest(MAX_SUGGESTIONS);
	const check = createObjectCheck(report, suggest);

	function checkEach(
		list: string,
		{ noun, discriminator, defaultChoice, schemas, fallback }: ElementList,
	): void {
		const elements: unknown = isJsonObject(graph) ? graph[list] : undefined;
		if (!Array.isArray(elements)) return;
		const owners = new Map<unknown, Owner>();
		for (const chosen of Object.keys(schemas))
			owners.set(chosen, { name: `${noun} of ${discriminator} "${chosen}"`, siblings: schemas });
		const unknownOwner: Owner = { name: noun, siblings: schemas };
		for (let index = 0; index < elements.length; index++) {
			const value: unknown = elements[index];
			const actual: unknown = isJsonObject(value) ? value[discriminator] : undefined;
			const chosen = actual === undefined ? defaultChoice : actual;
			const owner = owners.get(chosen);
			if (owner === undefined && isJsonObject(value))
				report(
					"invalid_shape",
					[list, index, discriminator],
					describeChoice(chosen, Object.keys(schemas), suggest),
				);
			const schema = owner === undefined ? fallback : (schemas[String(chosen)] ?? fallback);
			check(schema, value, owner ?? unknownOwner, list, index);
		}
	}

	const { graph: root, nodes, edges, anyNode, anyEdge } = getAgentGraphSchemas();
	check(root, withoutElements(graph), { name: "a graph", siblings: {} });
	checkEach("nodes", { noun: "a node", discriminator: "kind", schemas: nodes, fallback: anyNode });
	checkEach("edges", {
		noun: "an edge",
		discriminator: "mode",
		defaultChoice: "call",
		schemas: edges,
		fallback: anyEdge,
	});
}

/** Creates the check of one part of a graph. Field by field: zod's own walk would copy every object that it checks. */
function createObjectCheck(report: Report, suggest: Suggest) {
	const messageCache = new Map<z.$ZodObject, Map<string, string>>();

	function checkPart(part: z.$ZodType, value: unknown, at: Path, ...subpath: Path): void {
		for (const issue of parse(part, value)) {
			const issuePath = at.concat(subpath, issue.path ?? []);
			if (issue.code !== "unrecognized_keys") report("invalid_shape", issuePath, formatIssue(issue));
			else
				for (const key of issue.keys)
					report(
						"invalid_shape",
						issuePath.concat(key),
						describeUnknownField(key, `"${issuePath.at(-1)}"`, fieldsOf(issue.inst), suggest),
					);
		}
	}

	function describeKey(key: string, schema: z.$ZodObject, owner: Owner): string {
		// The same field is often wrong in many nodes or edges.
		const known = messageCache.get(schema) ?? new Map<string, string>();
		const message = known.get(key) ?? describeOwnKey(key, schema, owner);
		messageCache.set(schema, known.set(key, message));
		return message;
	}

	function describeOwnKey(key: string, schema: z.$ZodObject, { name, siblings }: Owner): string {
		const others = Object.keys(siblings).filter((other) =>
			Object.hasOwn(fieldsOf(siblings[other] ?? schema), key),
		);
		if (others.length > 0) return describeMisplacedField(name, others);
		return describeUnknownField(key, name, fieldsOf(schema), suggest);
	}

	return function check(schema: z.$ZodObject, value: unknown, owner: Owner, ...at: Path): void {
		if (!isJsonObject(value)) return checkPart(schema, value, at);
		const shape = fieldsOf(schema);
		for (const key in shape) {
			const field = shape[key];
			const actual = value[key];
			if (field === undefined || (actual === undefined && isOptional(field))) continue;
			checkPart(field, actual, at, key);
		}
		for (const key in value)
			if (!Object.hasOwn(shape, key))
				report("invalid_shape", at.concat(key), describeKey(key, schema, owner));
	};
}

/** The elements of lists are checked on their own. */
function withoutElements(graph: unknown): unknown {
	if (!isJsonObject(graph)) return graph;
	return Object.fromEntries(
		Object.entries(graph).map(([key, value]) => [key, Array.isArray(value) ? [] : value]),
	);
}

/** Like `safeParse`, but without an error object and messages of its own, which cost more than the check. */
function parse(schema: z.$ZodType, value: unknown): readonly ShapeIssue[] {
	const payload = schema._zod.run({ value, issues: [] }, { async: false });
	// Nothing in the schemas is asynchronous, and no key is a symbol.
	return "issues" in payload ? (payload.issues as ShapeIssue[]) : [];
}
