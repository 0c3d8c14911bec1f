import type { A2aMessage, A2aPart } from "@stemma/client/a2a";
import type { Json } from "@stemma/core";
import { A2aServerError } from "./a2a-server-error";

/**
 * What a message says, as a run takes it: texts, a line each; data alone as it is, several as a list; data among text as
 * JSON on a line of its own.
 *
 * @throws A2aServerError `CONTENT_TYPE_NOT_SUPPORTED` for files, which names the part.
 */
export function toRunInput({ parts }: Pick<A2aMessage, "parts">): Json {
	parts.forEach(refuseFile);
	if (parts.some(({ text }) => text !== undefined)) return parts.map(toLine).join("\n");
	const [first = null, ...others] = parts.map(({ data = null }) => data);
	return others.length === 0 ? first : [first, ...others];
}

const toLine = ({ text, data }: A2aPart): string => text ?? JSON.stringify(data);

function refuseFile({ raw, url, mediaType, filename }: A2aPart, index: number): void {
	if (raw === undefined && url === undefined) return;
	const kind = raw === undefined ? "url" : "raw";
	const about = [filename, mediaType].filter((text) => text !== undefined && text !== "").join(", ");
	throw new A2aServerError(
		"CONTENT_TYPE_NOT_SUPPORTED",
		`message.parts[${index}].${kind}: Files are not taken${about === "" ? "" : ` (${about.slice(0, 200)})`}.`,
		{ param: `message.parts[${index}]`, hint: "Send text and data parts." },
	);
}
