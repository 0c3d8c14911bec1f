import type { ChatMessage, ChatToolCall, InvocationMode, Json, JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { CompiledNode } from "./compiled-graph";
import type { HandOver } from "./hand-over";
import { createInvocation, type Invocation, type Quotes } from "./invocation";
import type { RetrievalEntry } from "./run-state";
import { invalidRun, isCount, isText, readEach, readFields, type SavedFields } from "./saved-fields";
import { readInvocation, readPassage, type SavedParts } from "./saved-parts";

/** Reads the open invocations, each after its parent, and the retrievals that they wait for. */
export function decodeInvocations(parts: SavedParts, fields: SavedFields): void {
	const { run, byId } = parts;
	const retrievals = readEach(fields, "retrievals");
	const entries = retrievals.map((one) => decodeRetrieval(parts, one));
	const open = readEach(fields, "open");
	for (const one of open) {
		const invocation = decodeInvocation(parts, one);
		byId.set(invocation.id, invocation);
		run.open.add(invocation);
	}
	for (const one of open) readInvocation(parts, one, "id").children = readChildren(parts, one);
	for (const [index, one] of retrievals.entries())
		entries[index]?.waiting.push(...readIds(parts, one, "waiting").flatMap((waiting) => waiting ?? []));
}

function decodeRetrieval({ run, read }: SavedParts, fields: SavedFields): RetrievalEntry {
	const { definition } = readNode({ run }, fields);
	if (definition.kind !== "knowledge") throw invalidRun(`${fields.place}.node`, "a knowledge node");
	const query = fields.text("query");
	const passages = fields
		.optional("passages", fields.list)
		?.map((passage) => readPassage(read(passage, fields.place), `${fields.place}.passages`));
	const key = toRetrievalKey(definition.id, query);
	const entry: RetrievalEntry = { key, node: definition, query, waiting: [], passages, error: undefined };
	run.retrievals ??= new Map();
	run.retrievals.set(key, entry);
	if (fields.flag("is_out")) run.retrieving.push({ type: "retrieve", entry });
	return entry;
}

function decodeInvocation(parts: SavedParts, fields: SavedFields): Invocation {
	const { run, read } = parts;
	const { count, flag, list, any, place, optional } = fields;
	const node = readNode(parts, fields);
	const parent = optional("parent", (name) => readInvocation(parts, fields, name));
	if ((parent === undefined) !== (run.open.size === 0)) throw invalidRun(`${place}.parent`, "its parent");
	const value = (name: string): Json => read(any(name), `${place}.${name}`);
	const origin = createInvocation(run, {
		node,
		mode: readMode(fields),
		parent,
		slot: count("slot"),
		depth: count("depth"),
		input: value("input"),
		isTail: flag("is_tail"),
		scope: count("scope"),
		handOver: optional("hand_over", (name) => readHandOver(value(name), place)),
	});
	run.invocations -= 1;
	const query = optional("query", fields.text);
	return {
		...origin,
		id: count("id"),
		startedAt: fields.figure("started_at"),
		waiting: count("waiting"),
		results: list("results").map((result) => read(result, `${place}.results`)),
		messages: list("messages").map((message) => readMessage(read(message, place), place)),
		opening: count("opening"),
		characters: count("characters"),
		turns: count("turns"),
		repaired: flag("repaired"),
		calls: readCalls(value("calls"), place),
		replies: list("replies").map((reply) =>
			reply === null ? undefined : readMessage(read(reply, place), place),
		),
		callCounts: optional("call_counts", (name) => readCounts(list(name), place)),
		retrieval: query === undefined ? undefined : run.retrievals?.get(toRetrievalKey(node.id, query)),
		answered: flag("answered"),
		value: value("value"),
		quotes: readQuotes(value("quotes"), place),
		truncated: flag("truncated"),
		inputTokens: count("input_tokens"),
		outputTokens: count("output_tokens"),
		modelCalls: count("model_calls"),
		steps: count("steps"),
	};
}

function readNode({ run }: Pick<SavedParts, "run">, fields: SavedFields): CompiledNode {
	const id = fields.text("node");
	const node = run.graph.reachable.find((one) => one.id === id);
	if (node === undefined) throw invalidRun(`${fields.place}.node`, "a node of the graph");
	return node;
}

const MODES: readonly InvocationMode[] = ["start", "call", "handoff", "before", "then"];

function readMode(fields: SavedFields): InvocationMode {
	const found = fields.text("mode");
	const mode = MODES.find((one) => one === found);
	if (mode === undefined) throw invalidRun(`${fields.place}.mode`, "a mode");
	return mode;
}

function readHandOver(value: Json, place: string): HandOver {
	const fields = readFields(value, `${place}.hand_over`);
	// What stands in a value is JSON.
	const history = fields.list("history").filter(isJsonObject) as readonly object[] as JsonObject[];
	return { from: fields.text("from"), history, note: fields.text("note") };
}

/** A copy: it grows. */
function readQuotes(value: Json, place: string): Quotes {
	if (typeof value === "boolean") return value;
	if (!isJsonObject(value)) throw invalidRun(`${place}.quotes`, "true, false or an object");
	// What stands in a value is JSON.
	const entries = Object.entries(value as JsonObject);
	return Object.fromEntries(entries.map(([node, quotes]) => [node, readQuotes(quotes, place)]));
}

function readMessage(value: Json, place: string): ChatMessage {
	if (!isJsonObject(value) || !isText(value.content)) throw invalidRun(place, "made of messages");
	const isTool = value.role === "tool" && isText(value.callId) && isText(value.name);
	if (value.role === "assistant" && value.toolCalls !== undefined) readCalls(value.toolCalls as Json, place);
	else if (!isTool && value.role !== "user" && value.role !== "assistant")
		throw invalidRun(place, "made of messages");
	// Just looked at.
	return value as object as ChatMessage;
}

function readCalls(value: Json, place: string): ChatToolCall[] {
	if (!Array.isArray(value)) throw invalidRun(`${place}.calls`, "a list");
	return value.map((call: Json) => {
		const { text } = readFields(call, `${place}.calls`);
		// Beside these three only what is the vendor's own.
		return { ...(call as object), id: text("id"), name: text("name"), arguments: text("arguments") };
	});
}

const readCounts = (entries: readonly unknown[], place: string): Map<string, number> =>
	new Map(
		entries.map((entry) => {
			const [name, count] = Array.isArray(entry) ? entry : [];
			if (!isText(name) || !isCount(count)) throw invalidRun(`${place}.call_counts`, "names and counts");
			return [name, count];
		}),
	);

const readChildren = (parts: SavedParts, fields: SavedFields): (Invocation | undefined)[] =>
	readIds(parts, fields, "children");

function readIds({ byId }: SavedParts, fields: SavedFields, name: string): (Invocation | undefined)[] {
	return fields.list(name).map((id) => {
		if (id === null) return undefined;
		const found = isCount(id) ? byId.get(id) : undefined;
		if (found === undefined) throw invalidRun(`${fields.place}.${name}`, "made of open invocations");
		return found;
	});
}

const toRetrievalKey = (node: string, query: string): string => `${node}\n${query}`;
