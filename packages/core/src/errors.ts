import { quote } from "./internal/quote";
import { omitUndefined } from "./json";
import type { RunResult } from "./run/run-result";

interface ErrorClass {
	readonly stemmaName?: string;
}

/**
 * Checks whether an error is of a class, including the class of another copy of this package (ESM beside CJS, two
 * versions).
 */
export function isErrorOf(error: unknown, { stemmaName }: ErrorClass): boolean {
	let found: (NewableFunction & ErrorClass) | null = Object(error).constructor;
	while (typeof found === "function" && found.stemmaName !== stemmaName) found = Object.getPrototypeOf(found);
	return typeof found === "function";
}

/** Options of a {@link StemmaError}. */
export interface StemmaErrorOptions {
	/** Stable, snake_case: what a program may decide by. */
	readonly code: string;
	/** Sentence that says what to do about the error. */
	readonly hint?: string | undefined;
	/** The error underneath, if there was one. */
	readonly cause?: unknown;
}

/** Longest message in characters. Longer ones come from other software and would fill a log. */
const MAX_MESSAGE_CHARACTERS = 4000;

const shorten = <Text extends string | undefined>(text: Text): Text | string =>
	text && text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS)}…` : text;

/**
 * The base of every error that Stemma throws on purpose. Test with {@link isStemmaError} or the static `is` of each
 * class: `instanceof` fails where two copies of a package are loaded.
 */
export class StemmaError extends Error {
	/**
	 * Name of the errors of this class, by which `is` recognizes them: minifiers change the names of classes. A getter,
	 * as a static field would take the name from the class in the CommonJS build.
	 */
	static get stemmaName(): string {
		return "StemmaError";
	}
	/** Stable, snake_case: what a program may decide by. */
	declare readonly code: string;
	/** Sentence that says what to do about the error. */
	declare readonly hint?: string;

	/** @param fields - what errors of the class have besides; classes `declare` them, and `undefined` is left out. */
	constructor(message: string, { code, hint, cause }: StemmaErrorOptions, fields?: object) {
		super(shorten(message), cause === undefined ? undefined : { cause });
		Object.assign(this, omitUndefined({ code, hint: shorten(hint), ...fields }));
	}

	/**
	 * True for errors of this class and of those under it, of this copy of the package or another. It may be handed on
	 * alone: `errors.filter(StemmaError.is)`. Each class declares its own type for it.
	 */
	static get is(): (error: unknown) => error is StemmaError {
		// biome-ignore lint/complexity/noThisInStatic: this is the class that was asked, and not always the base.
		return (error): error is StemmaError => isErrorOf(error, this);
	}

	/** Name of the error's class. A getter on the prototype, so that stack traces show it. */
	override get name(): string {
		return (this.constructor as typeof StemmaError).stemmaName;
	}

	override set name(value: string) {
		Object.defineProperty(this, "name", { value, configurable: true, writable: true });
	}

	/**
	 * Returns the object that `JSON.stringify` writes: `Error` alone would leave out the message, and `cause` may hold
	 * anything.
	 */
	toJSON(): object {
		return Object.assign({ name: this.name, message: this.message }, this);
	}
}

/** True for any Stemma error, of this copy of the package or another. */
export const isStemmaError = (error: unknown): error is StemmaError => isErrorOf(error, StemmaError);

/** Options of a {@link ConfigurationError}. */
export interface ConfigurationErrorOptions extends Partial<StemmaErrorOptions> {
	/** Path of the option that is wrong: `baseUrl`, `timeouts.idleTimeoutMs`. */
	readonly option?: string | undefined;
}

/** Error in an option, a port or a file: the message names it and says what to change. Code `configuration`. */
export class ConfigurationError extends StemmaError {
	static override get stemmaName(): string {
		return "ConfigurationError";
	}
	declare static readonly is: (error: unknown) => error is ConfigurationError;

	/** Path of the option that is wrong, `timeouts.idleTimeoutMs`; left out where it is not one option. */
	declare readonly option?: string;

	constructor(message: string, options: ConfigurationErrorOptions = {}) {
		super(message, { code: "configuration", ...options }, { option: options.option });
	}
}

/** The rules that a graph can break; see {@link AgentGraphIssue}. */
export type AgentGraphIssueCode =
	| "empty_graph"
	| "coordinator_count"
	| "duplicate_node_id"
	| "unknown_node"
	| "self_loop"
	| "duplicate_edge"
	| "edge_not_allowed"
	| "endless_cycle"
	| "schema_too_costly"
	| "invalid_shape";

/** One violation in an agent graph. */
export interface AgentGraphIssue {
	readonly code: AgentGraphIssueCode;
	/** Sentences that say what is wrong and what to do, without the path. */
	readonly message: string;
	/** Keys and indexes from the root to the place, as zod writes them: `["edges", 3, "to"]`. */
	readonly path: readonly (string | number)[];
}

/** Writes a path as one writes it in JavaScript: `edges[3].to`; the root is `(graph)`. */
export function formatPath(path: readonly (string | number)[]): string {
	let text = "";
	for (const key of path) {
		if (typeof key === "number") text += `[${key}]`;
		else if (/^[A-Za-z_$][\w$]{0,63}$/.test(key)) text += text === "" ? key : `.${key}`;
		else text += `[${quote(key)}]`;
	}
	return text === "" ? "(graph)" : text;
}

const MAX_LISTED_ISSUES = 20;
const MAX_LIST_CHARACTERS = 2600;
const MAX_LINE_CHARACTERS = 400;

function describeIssues(issues: readonly AgentGraphIssue[], name: string | undefined): string {
	const count = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
	let text = `The agent graph${name === undefined ? "" : ` ${quote(name)}`} has ${count}:`;
	let listed = 0;
	for (const issue of issues.slice(0, MAX_LISTED_ISSUES)) {
		const whole = `${formatPath(issue.path)}: ${issue.message}`;
		const line = `\n  ${whole.length > MAX_LINE_CHARACTERS ? `${whole.slice(0, MAX_LINE_CHARACTERS)}…` : whole}`;
		if (text.length + line.length > MAX_LIST_CHARACTERS) break;
		text += line;
		listed += 1;
	}
	return listed === issues.length ? text : `${text}\n  … and ${issues.length - listed} more in error.issues`;
}

/**
 * A graph that breaks rules: ONE error with every violation. `message` reads well alone and lists the first 20 at the
 * most; `issues` holds all, in document order. Code `agent_invalid`.
 */
export class AgentGraphError extends StemmaError {
	static override get stemmaName(): string {
		return "AgentGraphError";
	}
	declare static readonly is: (error: unknown) => error is AgentGraphError;
	declare readonly issues: readonly AgentGraphIssue[];

	constructor(issues: readonly AgentGraphIssue[], name?: string) {
		super(describeIssues(issues, name), { code: "agent_invalid" }, { issues });
	}
}

/** A run that ended as `failed`; `result` holds what was done so far. `code` is that of `result.error`. */
export class RunFailedError extends StemmaError {
	static override get stemmaName(): string {
		return "RunFailedError";
	}
	declare static readonly is: (error: unknown) => error is RunFailedError;
	declare readonly result: RunResult;

	constructor(result: RunResult) {
		const { code = "run_failed", message = "The run failed.", hint } = result.error ?? {};
		super(message, { code, hint }, { result });
	}
}
