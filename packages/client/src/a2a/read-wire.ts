import { isJsonObject } from "@stemma/core/internal";
import { createInvalidResponseError } from "./a2a-error";
import type {
	A2aArtifact,
	A2aMessage,
	A2aPart,
	A2aSendResponse,
	A2aStreamResponse,
	A2aTask,
	A2aTaskStatus,
} from "./wire";

/** Received object, before it is checked. */
type WireObject = Readonly<Record<string, unknown>>;

/** @throws A2aError `invalid_agent_response` for what is no task, or another one than was asked for. */
export function readTask(value: unknown, id?: string): A2aTask {
	const task = readObject<A2aTask>(value, "a task");
	assertId(task.id, id);
	return {
		...task,
		status: readStatus(task.status),
		...(task.artifacts != null && { artifacts: readList(task.artifacts, readArtifact) }),
		...(task.history != null && { history: readList(task.history, readMessage) }),
	};
}

/** @throws A2aError for what is neither a task nor a message, or both. */
export const readSendResponse = (value: unknown): A2aSendResponse => readOneOf(value, SENT);

/** @throws A2aError for what is no event, or has several. */
export const readStreamResponse = (value: unknown): A2aStreamResponse => readOneOf(value, STREAMED);

const SENT = { task: (value: unknown) => readTask(value), message: readMessage };

const STREAMED = {
	...SENT,
	statusUpdate: (value: unknown) => readUpdate(value, "status", readStatus),
	artifactUpdate: (value: unknown) => readUpdate(value, "artifact", readArtifact),
};

/** ProtoJSON writes one of several as the only field that is there. */
function readOneOf<One>(value: unknown, readers: Readonly<Record<string, (value: unknown) => unknown>>): One {
	const parsed = readObject<WireObject>(value, "one of its kind");
	const [name, ...others] = Object.keys(readers).filter((key) => parsed[key] != null);
	if (name === undefined || others.length > 0)
		throw createInvalidResponseError(`has not exactly one of \`${Object.keys(readers).join("`, `")}\``);
	return { [name]: readers[name]?.(parsed[name]) } as One;
}

function readUpdate(value: unknown, field: string, read: (value: unknown) => unknown): object {
	const update = readObject<WireObject>(value, "an update");
	assertId(update.taskId);
	return { ...update, [field]: read(update[field]) };
}

function readStatus(value: unknown): A2aTaskStatus {
	const status = readObject<A2aTaskStatus>(value, "a status");
	if (typeof status.state !== "string") throw createInvalidResponseError("has a status without its state");
	return {
		...status,
		...(status.message != null && { message: readMessage(status.message) }),
	};
}

function readMessage(value: unknown): A2aMessage {
	const message = readObject<A2aMessage>(value, "a message");
	assertId(message.messageId);
	return { ...message, parts: readList(message.parts, readPart) };
}

function readArtifact(value: unknown): A2aArtifact {
	const artifact = readObject<A2aArtifact>(value, "an artifact");
	assertId(artifact.artifactId);
	return { ...artifact, parts: readList(artifact.parts, readPart) };
}

const readPart = (value: unknown) => readObject<A2aPart>(value, "a part");

/** ProtoJSON may leave out a list that is empty. */
function readList<Item>(value: unknown, read: (item: unknown) => Item): Item[] {
	const list = value ?? [];
	if (!Array.isArray(list)) throw createInvalidResponseError("has something else where a list should be");
	return list.map((item) => read(item));
}

/** Fields that are not looked at are as the agent sends them. */
function readObject<Wire extends object>(value: unknown, expectation: string): Wire {
	if (isWireObject<Wire>(value)) return value;
	throw createInvalidResponseError(`has something else where ${expectation} should be`);
}

const isWireObject = <Wire extends object>(value: unknown): value is Wire => isJsonObject(value);

function assertId(value: unknown, expected = value): void {
	if (typeof value !== "string" || value === "")
		throw createInvalidResponseError("has something without its id");
	if (value !== expected) throw createInvalidResponseError("is about another task");
}
