import type { AgentEdge, AgentNode, Guard, Json, JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";

/** Why a node failed: any of these codes, where it depends on which of several was first. */
export class NodeFailure {
	constructor(readonly codes: readonly string[]) {}
}

/** The end of the whole run. */
export class RunEnd extends NodeFailure {}

export const fail = (code: string): never => {
	throw new NodeFailure([code]);
};

/**
 * What a node is given or gives. `texts`: which of its texts cite passages: `all` of what models and agents wrote, `none`
 * of tools and passages, or each field by its own.
 */
export interface Value {
	readonly json: Json;
	readonly texts: "all" | "none" | Readonly<Record<string, Value>>;
	/** The run's own input, which alone may be a conversation. */
	readonly isInput?: boolean;
}

export interface ReferenceMessage {
	readonly role: string;
	readonly content: string;
	readonly calls?: readonly (readonly [name: string, text: string])[];
	readonly callee?: string;
	readonly isError?: boolean;
}

/** The messages that a model node is given for its input. */
export function toMessages(value: Value): ReferenceMessage[] {
	const messages = conversationOf(value);
	return messages === undefined ? [{ role: "user", content: toText(value.json) }] : [...messages];
}

export function conversationOf({ json, isInput }: Value): readonly ReferenceMessage[] | undefined {
	return isInput && isJsonObject(json) && Array.isArray(json.messages) ? json.messages : undefined;
}

export const toText = (json: Json): string => (typeof json === "string" ? json : JSON.stringify(json));

/** Others are not given what passes for a conversation. */
export const toRemoteInput = (json: Json): Json =>
	isJsonObject(json) && "messages" in json ? toText(json) : json;

/** Of a conversation what its user said last, of anything else itself. */
export const lastUserMessage = (value: Value): Json =>
	conversationOf(value)?.findLast(({ role }) => role === "user")?.content ?? value.json;

export function toQuery(value: Value): string {
	const { json } = value;
	if (typeof json === "string") return json;
	if (isJsonObject(json) && typeof json.query === "string") return json.query;
	const question = lastUserMessage(value);
	return typeof question === "string" ? question : fail("no_query");
}

/** An object is the arguments; a text is the only one that the tool demands, `input` in these tests. */
export function toArguments(value: Value): JsonObject {
	const json = lastUserMessage(value);
	if (typeof json === "string") return { input: json };
	return isJsonObject(json) ? (json as JsonObject) : fail("input_not_object");
}

/** The `then` edge of a switch that is taken, if any. */
export const chooseBranch = (edges: readonly AgentEdge[], json: Json): AgentEdge | undefined =>
	edges.find((edge) => edge.mode === "then" && (edge.when === undefined || holds(edge.when, json)));

function holds(guard: Guard, json: Json): boolean {
	const found = readPointer(guard.path, json);
	if (found === undefined) return false;
	if (guard.in !== undefined) return guard.in.some((one) => JSON.stringify(one) === JSON.stringify(found));
	return guard.exists === true || JSON.stringify(guard.equals) === JSON.stringify(found);
}

function readPointer(path: string, json: Json): Json | undefined {
	let at: Json | undefined = json;
	for (const name of path.split("/").slice(1))
		at =
			typeof at === "object" && at !== null && Object.hasOwn(at, name) ? (at as JsonObject)[name] : undefined;
	return at;
}

/** What a model's call means to its callee, or nothing where it cannot be understood. */
export function parseArguments(text: string, { kind }: AgentNode): Json | undefined {
	try {
		const args = JSON.parse(text === "" && kind === "tool" ? "{}" : text);
		if (!isJsonObject(args)) return undefined;
		return kind === "tool" ? (args as JsonObject) : (args.input as Json | undefined);
	} catch {
		return undefined;
	}
}

/** The answer: numbers by first appearance, without those that nothing was retrieved for. */
export function toAnswer<Passage>(value: Value, passages: readonly Passage[]): [Json, Passage[]] {
	const cited: number[] = [];
	const toMark = (whole: string, number: string): string => {
		const n = Number(number);
		if (n < 1 || n > passages.length) return "";
		if (!cited.includes(n)) cited.push(n);
		return whole.replace(number, `${cited.indexOf(n) + 1}`);
	};
	const read = (json: Json): Json => {
		if (typeof json === "string")
			return passages.length === 0 ? json : json.replace(/[ \t]*\[(\d{1,3})\]/g, toMark);
		if (Array.isArray(json)) return json.map(read);
		return isJsonObject(json) ? mapFields(json as JsonObject, read) : json;
	};
	const walk = ({ json, texts }: Value): Json => {
		if (texts === "none") return json;
		return texts === "all" ? read(json) : mapFields(texts, walk);
	};
	const output = walk(value);
	return [output, cited.map((n) => passages[n - 1] as Passage)];
}

const mapFields = <From, To>(fields: Readonly<Record<string, From>>, map: (field: From) => To) =>
	Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)] as const));
