import {
	type AgentGraphIssue,
	ConfigurationError,
	formatPath,
	type Json,
	type JsonObject,
	type JsonSchema,
	StemmaError,
} from "@stemma/core";
import { copyJson, isJsonObject } from "@stemma/core/internal";
import { findSchemaProblem } from "../schema/check-schema";
import { compileSchema } from "../schema/validate-schema";
import type { LocalTool, ToolSchema } from "./define-tool";

/** The parameters of a tool, of whatever kind they are. */
export interface ToolParameters {
	/** JSON Schema that models see. */
	readonly jsonSchema: JsonSchema;
	/**
	 * The arguments as the tool takes them.
	 *
	 * @throws StemmaError `arguments_invalid`, in words for the model.
	 */
	read(args: JsonObject): Promise<unknown>;
}

const NO_PARAMETERS: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

/** @throws ConfigurationError naming the tool, for parameters that no model could be shown or that cannot be checked. */
export function readToolParameters(
	name: string,
	{ parameters = NO_PARAMETERS, jsonSchema }: LocalTool,
): ToolParameters {
	if (isStandard(parameters)) {
		const modelSchema = getObjectSchema(name, jsonSchema ?? toJsonSchema(name, parameters));
		return { jsonSchema: modelSchema, read: (args) => readStandard(name, parameters, args) };
	}
	const checkedSchema = getObjectSchema(name, parameters);
	assertUsableSchema(name, checkedSchema);
	const modelSchema = jsonSchema === undefined ? checkedSchema : getObjectSchema(name, jsonSchema);
	const validate = compileSchema(checkedSchema, "This is not an argument of this tool.");
	return {
		jsonSchema: modelSchema,
		async read(args) {
			const result = validate(args);
			if (result.valid) return args;
			throw argumentsInvalid(name, result.errors);
		},
	};
}

/** Schemas of some libraries are functions. */
const isStandard = (parameters: unknown): parameters is ToolSchema =>
	(typeof parameters === "function" || isJsonObject(parameters)) && "~standard" in parameters;

function toJsonSchema(name: string, parameters: ToolSchema): unknown {
	const { jsonSchema } = parameters["~standard"];
	if (jsonSchema === undefined)
		throw new ConfigurationError(
			`The schema of the tool "${name}" cannot return its JSON Schema, which models need.`,
			{
				hint: "Pass the JSON Schema as `jsonSchema`. For zod/mini, `toJsonSchema(schema)` of @stemma/core/zod makes it.",
			},
		);
	try {
		const { $schema: _, ...schema } = jsonSchema.input({ target: "draft-2020-12" });
		return schema;
	} catch (cause) {
		const problem = cause instanceof Error ? cause.message : String(cause);
		throw new ConfigurationError(`The schema of the tool "${name}" has no JSON Schema: ${problem}`, {
			hint: "Use types that JSON has, or pass `jsonSchema`.",
			cause,
		});
	}
}

/** Vendors take nothing else. A copy: what is changed later changes no agent. */
function getObjectSchema(name: string, schema: unknown): JsonSchema {
	if (!isJsonObject(schema) || schema.type !== "object")
		throw new ConfigurationError(`The parameters of the tool "${name}" are not those of an object.`, {
			hint: 'Write them as { type: "object", properties: { … } }, or as a schema of an object.',
		});
	const issues: AgentGraphIssue[] = [];
	const copy = copyJson(schema, issues);
	const [issue] = issues;
	// An object in, an object out.
	if (issue === undefined) return copy as JsonSchema;
	const location = issue.path.length === 0 ? "" : ` at \`${formatPath(issue.path)}\``;
	throw new ConfigurationError(
		`The parameters of the tool "${name}" are not JSON${location}: ${issue.message}`,
		{ hint: "Models see the parameters as JSON: use only plain data." },
	);
}

function assertUsableSchema(name: string, schema: JsonSchema): void {
	const problem = findSchemaProblem(schema);
	if (problem === undefined) return;
	throw new ConfigurationError(
		`The parameters of the tool "${name}" are a JSON Schema that cannot be used: ${problem.replace(/[.?]?$/, (end) => end || ".")}`,
		{ hint: "Write them by JSON Schema, draft 2020-12; definitions go into `$defs` of the same schema." },
	);
}

async function readStandard(name: string, schema: ToolSchema, args: JsonObject): Promise<unknown> {
	const outcome = await schema["~standard"].validate(args);
	if (outcome.issues === undefined) return outcome.value;
	throw argumentsInvalid(name, outcome.issues.map(describeIssue));
}

/** `/lines/0: …`, as JSON Schema has it. */
function describeIssue(issue: { readonly message: string; readonly path?: unknown }): string {
	const message = issue.message.replace(/\.?$/, ".");
	if (!Array.isArray(issue.path) || issue.path.length === 0) return message;
	const keys = issue.path.map((segment: Json) => String(isJsonObject(segment) ? segment.key : segment));
	return `/${keys.join("/")}: ${message}`;
}

const argumentsInvalid = (name: string, errors: readonly string[]): StemmaError =>
	new StemmaError(`The arguments of "${name}" do not fit its parameters: ${errors.join(" ")}`, {
		code: "arguments_invalid",
		hint: "Nothing was called. Call it again with arguments that fit.",
	});
