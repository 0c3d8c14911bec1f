import type { A2aMessage, A2aPart } from "@stemma/client/a2a";
import type { Json, JsonObject } from "@stemma/core";
import { isJsonObject, omitUndefined } from "@stemma/core/internal";
import { invalidParam } from "../a2a-server-error";
import { getId, type Params, readEnum, readField, readId, readObject, readText, readTexts } from "./params";

/** A message that asks an agent for something, without fields that nobody knows. @throws A2aServerError `INVALID_PARAMS`. */
export function readMessage(params: Params): A2aMessage {
	const message = readObject(params, "message");
	if (message === undefined) throw invalidParam("message", "Missing: a message is required.");
	const role = readEnum(message, "role", ROLES, "message.role") ?? "ROLE_UNSPECIFIED";
	if (role !== "ROLE_USER")
		throw invalidParam("message.role", "Expected ROLE_USER: only an agent's own messages have another.");
	const parts = readField(message, "parts", "message.parts");
	if (!Array.isArray(parts) || parts.length === 0)
		throw invalidParam("message.parts", "Expected a list of at least one part.");
	if (parts.length > MAX_A2A_MESSAGE_PARTS)
		throw invalidParam("message.parts", `Expected a list of at most ${MAX_A2A_MESSAGE_PARTS} parts.`);
	return omitUndefined({
		messageId: getId(message, "messageId", "message.messageId"),
		role: "ROLE_USER" as const,
		parts: parts.map(readPart),
		contextId: readId(message, "contextId", "message.contextId"),
		taskId: readId(message, "taskId", "message.taskId"),
		referenceTaskIds: readTexts(message, "referenceTaskIds", "message.referenceTaskIds"),
		extensions: readTexts(message, "extensions", "message.extensions"),
		metadata: readJsonObject(message, "metadata", "message.metadata"),
	});
}

/** Parts of one message. */
export const MAX_A2A_MESSAGE_PARTS = 1000;

/** Roles, by their numbers in `a2a.proto`. */
const ROLES = ["ROLE_UNSPECIFIED", "ROLE_USER", "ROLE_AGENT"] as const;

const CONTENTS = ["text", "raw", "url", "data"] as const;

function readPart(part: unknown, index: number): A2aPart {
	const path = `message.parts[${index}]`;
	if (!isJsonObject(part)) throw invalidParam(path, "Expected an object.");
	const [content, ...others] = CONTENTS.filter((name) => (part[name] ?? undefined) !== undefined);
	if (content === undefined || others.length > 0)
		throw invalidParam(path, "Expected exactly one of text, raw, url and data.");
	return omitUndefined({
		...(content === "data"
			? { data: part.data as Json }
			: { [content]: readText(part, content, `${path}.${content}`) }),
		mediaType: readText(part, "mediaType", `${path}.mediaType`),
		filename: readText(part, "filename", `${path}.filename`),
		metadata: readJsonObject(part, "metadata", `${path}.metadata`),
	});
}

/** Parsed from JSON, so its values are. */
const readJsonObject = (params: Params, name: string, path: string): JsonObject | undefined =>
	readObject(params, name, path) as JsonObject | undefined;
