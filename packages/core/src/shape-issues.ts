import * as z from "zod/v4/core";
import { agentGraphSchemas } from "./agent-graph-schema";
import { createSuggest } from "./did-you-mean";
import type { AgentGraphIssue } from "./errors";
import { isJsonObject } from "./json";
import { describeChoice, describeForeignField, describeShape, describeUnknownField } from "./shape-message";

type Path = readonly (string | number)[];

/** A part of the graph and where it stands. */
interface Part {
	readonly path: Path;
	readonly value: unknown;
}

/** What a schema stands for in messages, and the schemas that one of its fields could have chosen instead. */
interface Owner {
	readonly name: string;
	readonly siblings: Readonly<Record<string, z.$ZodObject>>;
}

/** Comparing names takes time, so only the first unknown fields get a suggestion. */
const SUGGESTIONS = 500;

/** What the schemas refuse, in our own words. Parts of one schema are parsed together: an error object each would be slow. */
export function findShapeIssues(graph: unknown): AgentGraphIssue[] {
	const issues: AgentGraphIssue[] = [];
	const suggest = createSuggest(SUGGESTIONS);
	const report = (path: Path, message: string): unknown => issues.push({ code: "invalid_shape", message, path });

	function check(schema: z.$ZodObject, parts: readonly Part[], owner: Owner): void {
		const parsed = z.safeParse(
			new z.$ZodArray({ type: "array", element: schema }),
			parts.map((part) => part.value),
		);
		for (const issue of parsed.error?.issues ?? []) {
			const [position, ...within] = issue.path as [number, ...Path];
			const part = parts[position];
			if (part === undefined) continue;
			const path = [...part.path, ...within];
			if (issue.code !== "unrecognized_keys") report(path, describeShape(issue, valueAt(part.value, within)));
			else for (const key of issue.keys) report([...path, key], describeKey(key, within, schema, owner));
		}
	}

	function describeKey(key: string, within: Path, schema: z.$ZodObject, { name, siblings }: Owner): string {
		const known = Object.keys(schemaAt(schema, within).def.shape);
		if (within.length > 0) return describeUnknownField(key, `"${within.at(-1)}"`, known, suggest);
		const others = Object.keys(siblings).filter((other) => Object.hasOwn(siblings[other]?.def.shape ?? {}, key));
		return others.length > 0
			? describeForeignField(name, others)
			: describeUnknownField(key, name, known, suggest);
	}

	/** Each part is checked against the schema that its field `choice` names. */
	function checkEach(list: "nodes" | "edges", choice: string, preset?: string): void {
		const schemas = agentGraphSchemas[list];
		const known = (value: unknown): value is string => typeof value === "string" && Object.hasOwn(schemas, value);
		for (const [chosen, parts] of groupParts(graph, list, choice, preset)) {
			if (known(chosen)) check(schemas[chosen] as z.$ZodObject, parts, ...)
		}
	}
}
