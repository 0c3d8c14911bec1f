import type { ParsedDocument } from "../document-part";
import { UnreadableError } from "../unreadable-error";
import type { ParseAttachment } from "./mail-message";
import { toMessageDocument } from "./message-document";
import { hasMailHeader, parseMime, toMailMessage } from "./parse-mime";

/** Reads a mail message with its attachments. @throws UnreadableError */
export async function readEml(bytes: Uint8Array, parse: ParseAttachment): Promise<ParsedDocument> {
	const email = await parseMime(bytes);
	if (!hasMailHeader(email)) throw new UnreadableError("it has no header of a mail message");
	return toMessageDocument(toMailMessage(email), parse);
}
