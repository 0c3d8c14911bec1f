import type { Json } from "@stemma/core";
import type { StepBudget } from "./budget";
import { compilePattern, type Program, spendPatternCost } from "./compile-pattern";
import { matchesPattern } from "./match-pattern";
import type { SchemaObject, SchemaReferences } from "./resolve-references";
import { toUnicodePattern } from "./unicode-pattern";

/** A schema with what it refers to; the patterns in it are compiled once, when they are first needed. */
export interface PreparedSchema {
	readonly root: Json;
	readonly references: SchemaReferences;
	readonly patterns: Map<string, Program>;
	/** Some schema looks at what others have not evaluated. */
	readonly isTracked: boolean;
}

/** Members and items of one value that a schema has evaluated (core, section 11). */
export interface Evaluated {
	readonly names: Set<string>;
	readonly items: Set<number>;
}

/** Location of a value: the path from the root, last step first. */
export interface ValueLocation {
	readonly parent: ValueLocation | undefined;
	readonly key: string | number;
}

export interface SchemaError {
	readonly location: ValueLocation | undefined;
	/** Undefined where nothing may be. Written once it is known that the error counts. */
	readonly message: (() => string) | undefined;
}

/** One check of one value, from the root. */
export interface SchemaRun {
	readonly prepared: PreparedSchema;
	readonly budget: StepBudget;
	/** The first `MAX_ERRORS`. */
	readonly errors: SchemaError[];
	depth: number;
	apply(schema: Json, to: Omit<KeywordContext, "run" | "schema">): boolean;
}

/** Tells whether a keyword with this argument holds, and reports where it does not. */
export type Keyword = (context: KeywordContext, argument: Json) => boolean;

/** One schema, applied to one value. */
export interface KeywordContext {
	readonly run: SchemaRun;
	readonly schema: SchemaObject;
	readonly value: Json;
	readonly location: ValueLocation | undefined;
	/** Undefined where nothing looks at it. */
	readonly evaluated: Evaluated | undefined;
}

export const MAX_ERRORS = 50;

/** A count that limits something. What is no number limits nothing. */
export const toCount = (argument: Json | undefined, fallback: number): number =>
	typeof argument === "number" ? argument : fallback;

/** @returns `false`, as the keyword does not hold. */
export function report(
	{ run: { errors }, location }: Pick<KeywordContext, "run" | "location">,
	message?: () => string,
): false {
	if (errors.length < MAX_ERRORS) errors.push({ location, message });
	return false;
}

/** Applies another schema to the same value. What it evaluates counts only where it holds. */
export function applyInPlace({ run, value, location, evaluated }: KeywordContext, schema: Json): boolean {
	if (evaluated === undefined) return run.apply(schema, { value, location, evaluated });
	const evaluatedHere = createEvaluated();
	const isValid = run.apply(schema, { value, location, evaluated: evaluatedHere });
	if (isValid) {
		run.budget.spend(evaluatedHere.names.size + evaluatedHere.items.size);
		for (const name of evaluatedHere.names) evaluated.names.add(name);
		for (const item of evaluatedHere.items) evaluated.items.add(item);
	}
	return isValid;
}

export const createEvaluated = (): Evaluated => ({ names: new Set(), items: new Set() });

/** Applies a schema whose errors do not count by themselves. */
export function testInPlace(context: KeywordContext, schema: Json): boolean {
	const { errors } = context.run;
	const before = errors.length;
	const isValid = applyInPlace(context, schema);
	errors.length = Math.min(errors.length, before);
	return isValid;
}

/** Applies a schema to a member or an item. */
export const applyToChild = (
	{ run, location }: KeywordContext,
	schema: Json,
	key: string | number,
	value: Json,
): boolean =>
	run.apply(schema, {
		value,
		location: { parent: location, key },
		evaluated: run.prepared.isTracked ? createEvaluated() : undefined,
	});

export function testPattern({ prepared, budget }: SchemaRun, pattern: string, text: string): boolean {
	let program = prepared.patterns.get(pattern);
	if (program === undefined) {
		program = toProgram(pattern, budget);
		prepared.patterns.set(pattern, program);
	}
	return matchesPattern(program, text, budget);
}

function toProgram(pattern: string, budget: StepBudget): Program {
	try {
		spendPatternCost(pattern, budget);
		return compilePattern(toUnicodePattern(pattern), budget);
	} catch (error) {
		if (!(error instanceof Error) || "code" in error) throw error;
		throw new Error(`the pattern ${JSON.stringify(pattern.slice(0, 200))} cannot be used: ${error.message}`);
	}
}
