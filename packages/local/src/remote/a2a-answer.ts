import type {
	A2aArtifactUpdate,
	A2aMessage,
	A2aPart,
	A2aStreamResponse,
	A2aTask,
	A2aTaskStatus,
} from "@stemma/client/a2a";
import { type Json, StemmaError } from "@stemma/core";

/** Answer of an agent so far. */
export interface A2aAnswer {
	taskId: string | undefined;
	/** Status of the task; `undefined` for an agent that answers with a message alone, without a task. */
	status: A2aTaskStatus | undefined;
	/** Artifacts by id, in the order in which they began. A message counts as one. */
	readonly artifacts: Map<string, Piece[]>;
	/** Id of the artifact that began last. */
	lastId: string | undefined;
	/** Pieces that are data. */
	dataPieces: number;
	/** Characters of everything that came. */
	received: number;
}

/** Text that belongs together, or one value. */
type Piece = { text: string } | { readonly data: Json };

/** Change of the answer's text: the text added at its end, or `"changed"` for a different text. */
export type TextChange = { readonly added: string } | "changed";

export const createAnswer = (): A2aAnswer => ({
	taskId: undefined,
	status: undefined,
	artifacts: new Map(),
	lastId: undefined,
	dataPieces: 0,
	received: 0,
});

const UNCHANGED: TextChange = { added: "" };

/**
 * Applies an event of a stream to the answer.
 *
 * @throws StemmaError `remote_answer_too_large`
 */
export function applyEvent(answer: A2aAnswer, event: A2aStreamResponse): TextChange {
	if ("artifactUpdate" in event) return applyArtifactUpdate(answer, event.artifactUpdate);
	if ("statusUpdate" in event)
		return applyStatus(answer, event.statusUpdate.taskId, event.statusUpdate.status);
	if ("task" in event) return applyTask(answer, event.task);
	return "message" in event ? applyMessage(answer, event.message) : UNCHANGED;
}

/** Applies a whole task to the answer; it replaces what was received of its parts. */
function applyTask(answer: A2aAnswer, { id, status, artifacts = [], history = [] }: A2aTask): TextChange {
	if (artifacts.length > 0) clearArtifacts(answer);
	for (const { artifactId, parts } of artifacts) setArtifact(answer, artifactId, toPieces(answer, parts));
	const { message = [...history].reverse().find(({ role }) => role === "ROLE_AGENT") } = status;
	applyStatus(answer, id, { ...status, ...(message === undefined ? {} : { message }) });
	return "changed";
}

/** Agents that make no artifacts say their answer as they end. */
function applyStatus(answer: A2aAnswer, taskId: string, status: A2aTaskStatus): TextChange {
	answer.taskId = taskId;
	answer.status = status;
	if (status.state !== "TASK_STATE_COMPLETED" || answer.artifacts.size > 0) return UNCHANGED;
	return status.message === undefined ? UNCHANGED : applyMessage(answer, status.message);
}

function applyMessage(answer: A2aAnswer, { parts }: A2aMessage): TextChange {
	setArtifact(answer, "", toPieces(answer, parts));
	return "changed";
}

function applyArtifactUpdate(answer: A2aAnswer, { taskId, artifact, append }: A2aArtifactUpdate): TextChange {
	const { artifactId, parts } = artifact;
	answer.taskId = taskId;
	const pieces = toPieces(answer, parts);
	const existing = append === true ? answer.artifacts.get(artifactId) : undefined;
	if (existing === undefined) {
		setArtifact(answer, artifactId, pieces);
		return "changed";
	}
	// Between artifacts there is something, and where there is data text is no answer.
	const isAtEnd = textOf(existing) !== "" && artifactId === answer.lastId;
	for (const piece of pieces) addPiece(existing, piece);
	answer.dataPieces += countData(pieces);
	return isAtEnd && !hasData(answer) ? { added: textOf(pieces) } : "changed";
}

const textOf = ([piece, ...others]: readonly Piece[] = []): string =>
	piece !== undefined && "text" in piece && others.length === 0 ? piece.text : "";

function clearArtifacts(answer: A2aAnswer): void {
	answer.artifacts.clear();
	answer.lastId = undefined;
	answer.dataPieces = 0;
}

/** A new artifact, or another one in the place of that with its id. */
function setArtifact(answer: A2aAnswer, id: string, pieces: Piece[]): void {
	const { artifacts } = answer;
	if (!artifacts.has(id)) answer.lastId = id;
	answer.dataPieces += countData(pieces) - countData(artifacts.get(id) ?? []);
	artifacts.set(id, pieces);
}

const countData = (pieces: readonly Piece[]): number => pieces.filter((piece) => "data" in piece).length;

const hasData = ({ dataPieces }: A2aAnswer): boolean => dataPieces > 0;

/** More is no answer that a graph could use. */
const MAX_ANSWER_CHARACTERS = 4_000_000;

function toPieces(answer: A2aAnswer, parts: readonly A2aPart[]): Piece[] {
	const pieces: Piece[] = [];
	for (const part of parts) {
		const piece = toPiece(part);
		answer.received += 1 + ("text" in piece ? piece.text : JSON.stringify(piece.data)).length;
		if (answer.received > MAX_ANSWER_CHARACTERS) throw tooLarge();
		addPiece(pieces, piece);
	}
	return pieces;
}

/** Pieces of a text come one after the other, and it is one text. */
function addPiece(pieces: Piece[], piece: Piece): void {
	const last = pieces.at(-1);
	if (last !== undefined && "text" in last && "text" in piece) last.text += piece.text;
	else pieces.push(piece);
}

/** Files are not fetched. */
function toPiece({ text, data, raw, filename, url, mediaType }: A2aPart): Piece {
	if (typeof text === "string") return { text };
	if (data != null || (raw ?? url) == null) return { data: data ?? null };
	const name = (filename ?? url ?? mediaType ?? "").replace(/[\s[\]]+/g, " ").slice(0, 200);
	return { text: name === "" ? "[file]" : `[file: ${name}]` };
}

const tooLarge = (): StemmaError =>
	new StemmaError(
		`The agent's answer is too large: more than ${MAX_ANSWER_CHARACTERS.toLocaleString("en")} characters came.`,
		{ code: "remote_answer_too_large", hint: "Ask it for less." },
	);

/** The answer as text; empty where it is data. */
export const toText = (answer: A2aAnswer): string =>
	hasData(answer)
		? ""
		: [...answer.artifacts.values()]
				.map(textOf)
				.filter((text) => text !== "")
				.join("\n\n");

/** The answer: text, or the value of its only part that is data. Data and other parts are a list, in order. */
export function toOutput(answer: A2aAnswer): Json {
	if (!hasData(answer)) return toText(answer);
	const pieces = [...answer.artifacts.values()].flat();
	const values = pieces.flatMap((piece) =>
		"data" in piece ? [piece.data] : (piece.text.trim() && piece.text) || [],
	);
	return values.length === 1 ? (values[0] ?? null) : values;
}
