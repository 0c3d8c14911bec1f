import { isJsonObject } from "@stemma/core/internal";
import { createInvalidResponseError } from "./a2a-error";
import type {
	A2aArtifact,
	A2aMessage,
	A2aSendResponse,
	A2aStreamResponse,
	A2aTask,
	A2aTaskStatus,
} from "./wire";

/** What came, before anything is known of it. */
type Said = Readonly<Record<string, unknown>>;

/** @throws A2aError `invalid_agent_response` for what is no task, or another one than was asked for. */
export function readTask(value: unknown, id?: string): A2aTask {
	const task = demandObject(value, "a task");
	demandId(task.id, id);
	return {
		...(task as unknown as A2aTask),
		status: readStatus(task.status),
		...(task.artifacts != null && { artifacts: readList(task.artifacts, readArtifact) }),
		...(task.history != null && { history: readList(task.history, readMessage) }),
	};
}

/** @throws A2aError for what is neither a task nor a message, or both. */
export const readSendResponse = (value: unknown): A2aSendResponse => readOne(value, SENT);

/** @throws A2aError for what is no event, or has several. */
export const readStreamResponse = (value: unknown): A2aStreamResponse => readOne(value, STREAMED);

const SENT = { task: (value: unknown) => readTask(value), message: readMessage };

const STREAMED = {
	...SENT,
	statusUpdate: (value: unknown) => readUpdate(value, "status", readStatus),
	artifactUpdate: (value: unknown) => readUpdate(value, "artifact", readArtifact),
};

/** ProtoJSON writes one of several as the only field that is there. */
function readOne<One>(value: unknown, readers: Readonly<Record<string, (value: unknown) => unknown>>): One {
	const said = demandObject(value, "one of its kind");
	const [name, ...others] = Object.keys(readers).filter((key) => said[key] != null);
	if (name === undefined || others.length > 0)
		throw createInvalidResponseError(`has not exactly one of \`${Object.keys(readers).join("`, `")}\``);
	return { [name]: readers[name]?.(said[name]) } as One;
}

function readUpdate(value: unknown, field: string, read: (value: unknown) => unknown): object {
	const update = demandObject(value, "an update");
	demandId(update.taskId);
	return { ...update, [field]: read(update[field]) };
}

function readStatus(value: unknown): A2aTaskStatus {
	const status = demandObject(value, "a status");
	if (typeof status.state !== "string") throw createInvalidResponseError("has a status without its state");
	return {
		...(status as unknown as A2aTaskStatus),
		...(status.message != null && { message: readMessage(status.message) }),
	};
}

function readMessage(value: unknown): A2aMessage {
	const message = demandObject(value, "a message");
	demandId(message.messageId);
	return { ...(message as unknown as A2aMessage), parts: readList(message.parts, readPart) };
}

function readArtifact(value: unknown): A2aArtifact {
	const artifact = demandObject(value, "an artifact");
	demandId(artifact.artifactId);
	return { ...(artifact as unknown as A2aArtifact), parts: readList(artifact.parts, readPart) };
}

const readPart = (value: unknown) => demandObject(value, "a part");

/** ProtoJSON may leave out a list that is empty. */
function readList<Item>(value: unknown, read: (item: unknown) => Item): Item[] {
	if (!Array.isArray(value ?? []))
		throw createInvalidResponseError("has something else where a list should be");
	return ((value ?? []) as unknown[]).map((item) => read(item));
}

function demandObject(value: unknown, what: string): Said {
	if (isJsonObject(value)) return value;
	throw createInvalidResponseError(`has something else where ${what} should be`);
}

function demandId(value: unknown, wanted = value): void {
	if (typeof value !== "string" || value === "")
		throw createInvalidResponseError("has something without its id");
	if (value !== wanted) throw createInvalidResponseError("is about another task");
}
