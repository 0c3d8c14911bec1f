import { ConfigurationError, type Json, type JsonObject, type ReceiptRow, type RunEvent } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { CitationState, CitedMark } from "../answer/citation-state";
import type { CompiledGraph } from "../graph/compiled-graph";
import { fingerprint } from "../graph/fingerprint";
import { isCitation } from "../io/agent-outcome";
import { isReceiptRow } from "../io/port-receipt";
import type { EngineHost } from "../io/ports";
import { createEmptyState } from "../run/create-run-state";
import type { RunInterruption } from "../run/run-options";
import type { EffectiveLimits, RunState } from "../run/run-state";
import { decodeCalls } from "./decode-calls";
import { type DecodeContext, readPassage } from "./decode-context";
import { decodeInvocations } from "./decode-invocations";
import {
	invalidField,
	invalidRunError,
	isCount,
	isText,
	readEach,
	readFields,
	type SavedFields,
} from "./saved-fields";
import { createValueReader } from "./saved-values";
import type { SerializedRun } from "./serialized-run";

/** Options of `decodeRun`, which checks a saved run and reads it back. */
export interface DecodeOptions {
	readonly graph: CompiledGraph;
	/** Fingerprint of the graph. */
	readonly fingerprint: string;
	readonly limits: EffectiveLimits;
	readonly host: EngineHost;
	/** Set for a run that was cut off after it was saved. */
	readonly interruption?: RunInterruption | undefined;
}

/**
 * The run that was saved, as it stood; nothing of it is under way.
 *
 * @throws ConfigurationError `invalid_run` for anything that `encodeRun` did not give, and `graph_changed`.
 */
export function decodeRun(saved: SerializedRun, options: DecodeOptions): RunState {
	try {
		return decode(saved, options);
	} catch (error) {
		if (ConfigurationError.is(error)) throw error;
		// Whatever stumbles over it.
		throw invalidRunError("its parts do not fit together.");
	}
}

function decode(
	saved: SerializedRun,
	{ graph, fingerprint: currentFingerprint, limits, host, interruption }: DecodeOptions,
): RunState {
	const { runId, fields } = parseSaved(saved);
	if (fields.text("graph") !== currentFingerprint) throw graphChanged();
	const read = createValueReader(fields.list("values"));
	const run = createEmptyState({
		graph,
		runId,
		input: read(fields.any("input"), "input"),
		context: readContext(read(fields.any("context"), "context")),
		untrustedContext: fields.flag("untrusted_context"),
		limits,
		boundary: fields.text("boundary"),
		runningSince: host.now(),
		previousRunMs: readRunMs(fields, interruption && host.now()),
	});
	readCounters(run, fields);
	run.seq = Math.max(run.seq, interruption?.lastSeq ?? 0);
	const context: DecodeContext = { run, read, byId: new Map() };
	decodeInvocations(context, fields);
	decodeCalls(context, fields);
	readResults(context, fields);
	readUndelivered(run, fields);
	if (run.result === undefined && run.invocations > 0 && run.openInvocations.size === 0)
		throw invalidField("state.open", "what the run has begun");
	return run;
}

/** Reads the running time in milliseconds; for a run that was cut off, up to `now`. */
function readRunMs(fields: SavedFields, now: number | undefined): number {
	const previousRunMs = Math.max(0, fields.number("ran_ms"));
	if (now === undefined) return previousRunMs;
	return previousRunMs + Math.max(0, now - (fields.optional("saved_at", fields.number) ?? now));
}

/** Looks at it as JSON: whatever else it may be, a getter or a prototype, has no say. */
function parseSaved(saved: SerializedRun): { readonly runId: string; readonly fields: SavedFields } {
	if (isText(saved)) throw invalidRunError("it is text. Parse it first.");
	const copy: Json = JSON.parse(JSON.stringify(saved ?? null));
	const outer = readFields(copy, "run");
	if (outer.any("version") !== 1) throw invalidField("version", "1, the only format that this version reads");
	const runId = outer.text("run_id");
	const all = outer.any("state");
	if (!isJsonObject(all)) throw invalidField("state", "an object");
	const { checksum, ...state } = all;
	if (checksum !== fingerprint({ run_id: runId, state }))
		throw invalidRunError("it was changed after it was saved, or a part is missing.");
	return { runId, fields: readFields(state, "state") };
}

const graphChanged = (): ConfigurationError =>
	new ConfigurationError("The run was saved with another graph than this one.", {
		code: "graph_changed",
		hint: "Continue it with the version of the graph that it was started with.",
	});

function readContext(value: Json): JsonObject {
	if (!isJsonObject(value)) throw invalidField("context", "an object");
	return value;
}

function readCounters(run: RunState, fields: SavedFields): void {
	run.seq = fields.count("seq");
	run.invocations = fields.count("invocations");
	run.scopes = fields.count("scopes");
	run.steps = fields.count("steps");
	run.inputTokens = fields.count("input_tokens");
	run.outputTokens = fields.count("output_tokens");
}

function readUndelivered(run: RunState, fields: SavedFields): void {
	for (const [index, event] of fields.list("events").entries()) {
		if (!isEvent(event)) throw invalidField(`events[${index}]`, "an event");
		run.events.push(event);
	}
	const last = run.events.at(-1);
	if (last !== undefined && "result" in last && last.type !== "run.paused") run.result = last.result;
	for (const { text, any } of readEach(fields, "decisions")) {
		const reason = any("reason");
		const decidedAt = any("decided_at");
		run.decisions.push({
			approval_id: text("approval_id"),
			decision: text("decision") === "approve" ? "approve" : "deny",
			...(isText(reason) ? { reason } : {}),
			...(isText(decidedAt) ? { decided_at: decidedAt } : {}),
		});
	}
}

/** Checks for an event by its type: the checksum holds the rest. */
const isEvent = (value: unknown): value is RunEvent => isJsonObject(value) && isText(value.type);

function readResults({ run, read }: DecodeContext, fields: SavedFields): void {
	for (const [index, passage] of fields.list("passages").entries())
		run.passages.push(readPassage(read(passage, "passages"), `passages[${index}]`));
	for (const [index, entry] of fields.list("passage_numbers").entries()) {
		const [key, number] = Array.isArray(entry) ? entry : [];
		if (!isText(key) || !isCount(number))
			throw invalidField(`passage_numbers[${index}]`, "a key and a number");
		run.passageNumbers ??= new Map();
		run.passageNumbers.set(key, number);
	}
	for (const [index, row] of fields.list("receipt").entries())
		run.receipt.push(row === null ? undefined : readRow(row, `receipt[${index}]`));
	run.answer = readAnswer(readFields(fields.any("answer"), "answer"));
}

function readRow(value: Json, path: string): ReceiptRow {
	if (!isReceiptRow(value)) throw invalidField(path, "a row of a receipt");
	return value;
}

const readMark = (mark: Json): CitedMark[] =>
	isJsonObject(mark) && isCount(mark.n) && isCount(mark.at) ? [{ n: mark.n, at: mark.at }] : [];

const readAnswer = ({ text, list, count, optional }: SavedFields): CitationState => ({
	text: text("text"),
	citations: list("citations").flatMap((citation) => (isCitation(citation) ? [citation] : [])),
	numbers: list("numbers").filter(isCount),
	held: text("held"),
	marks: (optional("marks", list) ?? []).flatMap(readMark),
	textStart: Math.min(optional("textStart", count) ?? 0, text("text").length),
	unknown: (optional("unknown", list) ?? []).filter(isCount),
	code: text("code"),
	fence: optional("fence", text)?.slice(0, 1) ?? "",
	fenceLength: Math.min(optional("fenceLength", count) ?? 0, text("text").length),
	compared: optional("compared", count) ?? 0,
});
