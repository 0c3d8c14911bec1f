import type { Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { sha256 } from "@stemma/core/internal/sha-256";
import type { StemmaClient } from "../../client";
import { McpError } from "../mcp-error";
import type { McpTool } from "../wire";

/** Tools as they were when somebody looked at them: a file to keep beside the program. */
export interface McpLock {
	/** 1; a number, so that a file of JSON is one. */
	readonly lockVersion: number;
	/** Locks of the tools, by tool name. */
	readonly tools: Readonly<Record<string, McpToolLock>>;
}

/**
 * SHA-256 of each part of a tool, hexadecimal: `description`, `title`, `annotations`; `argument <name>` and `result <name>`
 * of each top-level property; `arguments` and `results` of what else the schemas say.
 */
export type McpToolLock = Readonly<Record<string, string>>;

/** Named in a message. */
const MAX_LISTED_DIFFERENCES = 20;

export const lockTools = (tools: readonly McpTool[]): McpLock => ({
	lockVersion: 1,
	tools: Object.fromEntries(tools.map((tool) => [tool.name, lockTool(tool)])),
});

function lockTool({ description, title, annotations, inputSchema, outputSchema }: McpTool): McpToolLock {
	const { properties: args, ...argumentsRest } = inputSchema;
	const { properties: results, ...resultsRest } = outputSchema ?? {};
	const parts: readonly (readonly [string, unknown])[] = [
		["description", description],
		["title", title],
		["annotations", annotations],
		...toParts("argument", args),
		["arguments", argumentsRest],
		...toParts("result", results),
		["results", outputSchema && resultsRest],
	];
	return Object.fromEntries(
		parts.filter(([, part]) => part !== undefined).map(([name, part]) => [name, sha256(toCanonical(part))]),
	);
}

const toParts = (kind: string, properties: Json | undefined): readonly (readonly [string, unknown])[] =>
	typeof properties === "object" && properties !== null
		? Object.entries(properties).map(([name, schema]) => [`${kind} ${JSON.stringify(name)}`, schema] as const)
		: [];

/** JSON whose objects have their fields in one order, however a server wrote them. */
const toCanonical = (json: unknown): string =>
	JSON.stringify(json, (_, value: unknown) =>
		isJsonObject(value)
			? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
			: value,
	);

/** @throws McpError `lock_invalid` for what is no lock that this version knows: it would pin nothing. */
function readPins({ lockVersion, tools }: McpLock): ReadonlyMap<string, McpToolLock> {
	if (lockVersion === 1 && typeof tools === "object" && tools !== null) return new Map(Object.entries(tools));
	throw new McpError("The option `pin` is not a lock of MCP tools that this version supports.", {
		code: "lock_invalid",
		hint: "Create one with `createMcpLock`, or with `stemma mcp types`.",
	});
}

/**
 * Returns the tools that are pinned.
 *
 * @throws McpError `tool_changed` with the differences, when one of them has changed.
 */
export function pinTools(
	tools: readonly McpTool[],
	lock: McpLock,
	redact: StemmaClient["redact"],
): readonly McpTool[] {
	const pinned = readPins(lock);
	const selected = tools.filter(({ name }) => pinned.has(name));
	const changes = selected.flatMap((tool) => {
		const differences = compare(pinned.get(tool.name) ?? {}, lockTool(tool));
		return differences.length > 0 ? [`tool ${JSON.stringify(tool.name)}: ${differences.join(", ")}`] : [];
	});
	if (changes.length === 0) return selected;
	// Arguments have the names that the server gives them.
	const { details } = redact({ details: changes.join("; ") });
	throw new McpError(`The MCP server has changed pinned tools. ${details}.`, {
		code: "tool_changed",
		hint: "Review the tools, and create a new lock if you still trust them.",
	});
}

function compare(before: McpToolLock, now: McpToolLock): readonly string[] {
	const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
	const names = [...new Set([...old.keys(), ...current.keys()])];
	const differences = names
		.filter((name) => old.get(name) !== current.get(name))
		.map((name) => `${name} ${!old.has(name) ? "is new" : !current.has(name) ? "is gone" : "changed"}`);
	const more = differences.length - MAX_LISTED_DIFFERENCES;
	return more > 0 ? [...differences.slice(0, MAX_LISTED_DIFFERENCES), `and ${more} more`] : differences;
}

/** @throws McpError `tool_not_pinned` */
export function assertPinned(name: string, lock: McpLock): void {
	if (!readPins(lock).has(name))
		throw new McpError(`The tool ${JSON.stringify(name.slice(0, 128))} is not pinned.`, {
			code: "tool_not_pinned",
			hint: "Review it, and add it to the lock of the option `pin`.",
		});
}
