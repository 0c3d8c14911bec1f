import type { A2aMessage, A2aPart } from "@stemma/client/a2a";
import type { Json } from "@stemma/core";
import { A2aServerError } from "./a2a-server-error";

/**
 * Converts a message to the input of a run: texts, a line each; data alone unchanged, several as a list; data among
 * text as JSON on a line of its own.
 *
 * @throws A2aServerError `CONTENT_TYPE_NOT_SUPPORTED` for files, which names the part.
 */
export function toRunInput({ parts }: Pick<A2aMessage, "parts">): Json {
	parts.forEach(assertReadable);
	if (parts.some(({ text }) => text !== undefined)) return parts.map(toLine).join("\n");
	const [first = null, ...others] = parts.map(({ data = null }) => data);
	return others.length === 0 ? first : [first, ...others];
}

const toLine = ({ text, data }: A2aPart): string => text ?? JSON.stringify(data);

/** Text that a model can read; `text/plain` where nothing is said. */
const TEXT_TYPE = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml)\b)/i;
const DATA_TYPE = /^(text|application)\/([\w.-]+\+)?json\b/i;

/**
 * Asserts that a part of a message is text or data.
 *
 * @throws A2aServerError `CONTENT_TYPE_NOT_SUPPORTED` for files, and for media types that are neither.
 */
export function assertReadable(part: A2aPart, index: number): void {
	const { raw, url, data, mediaType = "" } = part;
	if (raw !== undefined || url !== undefined)
		throw createNotReadableError(part, index, raw === undefined ? "url" : "raw", "Files are not supported");
	const type = data === undefined ? TEXT_TYPE : DATA_TYPE;
	if (mediaType !== "" && !type.test(mediaType))
		throw createNotReadableError(part, index, "mediaType", "This media type is not supported");
}

function createNotReadableError(
	{ mediaType, filename }: A2aPart,
	index: number,
	field: string,
	problem: string,
): A2aServerError {
	const description = [filename, mediaType].filter((text) => text !== undefined && text !== "").join(", ");
	return new A2aServerError(
		"CONTENT_TYPE_NOT_SUPPORTED",
		`message.parts[${index}].${field}: ${problem}${description === "" ? "" : ` (${description.slice(0, 200)})`}.`,
		{ param: `message.parts[${index}]`, hint: "Send text and data parts." },
	);
}
