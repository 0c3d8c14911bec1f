import type { ChatMessage, ChatToolCall, InvocationMode, Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { CompiledNode } from "../graph/compiled-graph";
import { createInvocation } from "../nodes/create-invocation";
import { extendHistory } from "../nodes/history";
import type { Handoff, Invocation, RetrievalEntry, VerbatimText } from "../nodes/invocation";
import { type DecodeContext, readInvocation, readPassage } from "./decode-context";
import {
	invalidField,
	isCount,
	isList,
	isText,
	readEach,
	readFields,
	type SavedFields,
} from "./saved-fields";

/** Reads the open invocations, each after its parent, and the retrievals that they wait for. */
export function decodeInvocations(context: DecodeContext, fields: SavedFields): void {
	const { run, byId } = context;
	const retrievals = readEach(fields, "retrievals");
	const entries = retrievals.map((one) => decodeRetrieval(context, one));
	const open = readEach(fields, "open");
	for (const one of open) {
		const invocation = decodeInvocation(context, one);
		byId.set(invocation.id, invocation);
		run.openInvocations.add(invocation);
	}
	for (const one of open) readInvocation(context, one, "id").children = readChildren(context, one);
	for (const [index, one] of retrievals.entries())
		entries[index]?.waiters.push(...readIds(context, one, "waiting").flatMap((waiting) => waiting ?? []));
}

function decodeRetrieval({ run, read }: DecodeContext, fields: SavedFields): RetrievalEntry {
	const { definition } = readNode({ run }, fields);
	if (definition.kind !== "knowledge") throw invalidField(`${fields.path}.node`, "a knowledge node");
	const query = fields.text("query");
	const passages = fields
		.optional("passages", fields.list)
		?.map((passage) => readPassage(read(passage, fields.path), `${fields.path}.passages`));
	const key = toRetrievalKey(definition.id, query);
	const entry: RetrievalEntry = { key, node: definition, query, waiters: [], passages, error: undefined };
	run.retrievals ??= new Map();
	run.retrievals.set(key, entry);
	if (fields.flag("is_out")) run.pendingRetrievals.add({ type: "retrieve", entry });
	return entry;
}

function decodeInvocation(context: DecodeContext, fields: SavedFields): Invocation {
	const { run, read } = context;
	const { count, flag, list, any, path, optional } = fields;
	const node = readNode(context, fields);
	const parent = optional("parent", (name) => readInvocation(context, fields, name));
	if ((parent === undefined) !== (run.openInvocations.size === 0))
		throw invalidField(`${path}.parent`, "its parent");
	const value = (name: string): Json => read(any(name), `${path}.${name}`);
	const origin = createInvocation(run, {
		node,
		mode: readMode(fields),
		parent,
		slot: count("slot"),
		depth: count("depth"),
		input: value("input"),
		isTail: flag("is_tail"),
		scope: count("scope"),
		handoff: optional("hand_over", (name) => readHandoff(value(name), path)),
	});
	run.invocations -= 1;
	const query = optional("query", fields.text);
	return {
		...origin,
		id: count("id"),
		startedAt: fields.number("started_at"),
		pendingChildren: count("waiting"),
		results: list("results").map((result) => read(result, `${path}.results`)),
		messages: list("messages").map((message) => readMessage(read(message, path), path)),
		initialMessageCount: count("opening"),
		characters: count("characters"),
		turns: count("turns"),
		repaired: flag("repaired"),
		toolCalls: readCalls(value("calls"), path),
		toolMessages: list("replies").map((reply) =>
			reply === null ? undefined : readMessage(read(reply, path), path),
		),
		callCounts: optional("call_counts", (name) => readCounts(list(name), path)),
		retrieval: query === undefined ? undefined : run.retrievals?.get(toRetrievalKey(node.id, query)),
		isRetrieved: flag("answered"),
		value: value("value"),
		verbatim: readVerbatim(value("quotes"), path),
		truncated: flag("truncated"),
		inputTokens: count("input_tokens"),
		outputTokens: count("output_tokens"),
		modelCalls: count("model_calls"),
		steps: count("steps"),
	};
}

function readNode({ run }: Pick<DecodeContext, "run">, fields: SavedFields): CompiledNode {
	const id = fields.text("node");
	const node = run.graph.reachable.find((one) => one.id === id);
	if (node === undefined) throw invalidField(`${fields.path}.node`, "a node of the graph");
	return node;
}

const MODES: readonly InvocationMode[] = ["start", "call", "handoff", "before", "then"];

function readMode(fields: SavedFields): InvocationMode {
	const found = fields.text("mode");
	const mode = MODES.find((one) => one === found);
	if (mode === undefined) throw invalidField(`${fields.path}.mode`, "a mode");
	return mode;
}

function readHandoff(value: Json, path: string): Handoff {
	const fields = readFields(value, `${path}.hand_over`);
	const entries = fields.list("history").flatMap((entry) => (isJsonObject(entry) ? [entry] : []));
	return { from: fields.text("from"), history: extendHistory(undefined, entries), note: fields.text("note") };
}

/** A copy: it grows. */
function readVerbatim(value: Json, path: string): VerbatimText {
	if (typeof value === "boolean") return value;
	if (!isJsonObject(value)) throw invalidField(`${path}.quotes`, "true, false or an object");
	const entries = Object.entries(value);
	return Object.fromEntries(entries.map(([node, verbatim]) => [node, readVerbatim(verbatim, path)]));
}

function readMessage(value: Json, path: string): ChatMessage {
	// Without old keys the message itself, which others may share.
	const hasOldCalls = isJsonObject(value) && isList(value.toolCalls) && value.toolCalls.some(hasOldKey);
	const message = hasOldCalls ? { ...value, toolCalls: readCalls(value.toolCalls, path) } : value;
	if (!isMessage(message)) throw invalidField(path, "made of messages");
	return message;
}

function isMessage(value: unknown): value is ChatMessage {
	if (!isJsonObject(value) || !isText(value.content)) return false;
	if (value.role === "tool") return isText(value.callId) && isText(value.name);
	if (value.role === "user" || value.toolCalls === undefined)
		return value.role === "user" || value.role === "assistant";
	return value.role === "assistant" && Array.isArray(value.toolCalls) && value.toolCalls.every(isCall);
}

const isCall = (call: unknown): call is ChatToolCall =>
	isJsonObject(call) && isText(call.id) && isText(call.name) && isText(call.arguments);

function readCalls(value: Json | undefined, path: string): ChatToolCall[] {
	if (!isList(value)) throw invalidField(`${path}.calls`, "a list");
	return value.map((written) => {
		const call = renameOldKey(written);
		if (!isCall(call)) throw invalidField(`${path}.calls`, "made of calls");
		return call;
	});
}

/** Runs that were saved before `providerMetadata` had its name call it `vendorData`. */
const hasOldKey = (call: Json): boolean => isJsonObject(call) && Object.hasOwn(call, "vendorData");

function renameOldKey(call: Json): unknown {
	if (!isJsonObject(call) || !hasOldKey(call)) return call;
	const { vendorData, ...rest } = call;
	return { ...rest, providerMetadata: vendorData };
}

const readCounts = (entries: readonly unknown[], path: string): Map<string, number> =>
	new Map(
		entries.map((entry) => {
			const [name, count] = Array.isArray(entry) ? entry : [];
			if (!isText(name) || !isCount(count)) throw invalidField(`${path}.call_counts`, "names and counts");
			return [name, count];
		}),
	);

const readChildren = (context: DecodeContext, fields: SavedFields): (Invocation | undefined)[] =>
	readIds(context, fields, "children");

function readIds({ byId }: DecodeContext, fields: SavedFields, name: string): (Invocation | undefined)[] {
	return fields.list(name).map((id) => {
		if (id === null) return undefined;
		const found = isCount(id) ? byId.get(id) : undefined;
		if (found === undefined) throw invalidField(`${fields.path}.${name}`, "made of open invocations");
		return found;
	});
}

const toRetrievalKey = (node: string, query: string): string => `${node}\n${query}`;
