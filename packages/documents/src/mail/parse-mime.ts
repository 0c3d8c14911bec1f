import PostalMime, { type Address, type Email, type Mailbox } from "postal-mime";
import { UnreadableError } from "../unreadable-error";
import { type MailMessage, toAddressLine, toHeaderLines } from "./mail-message";

/** Parts within parts. */
export const MAX_MIME_DEPTH = 100;
export const MAX_MIME_HEADER_BYTES = 2 * 1024 * 1024;
/** Groups of parts in one message; each has a boundary, which every line is compared with. */
export const MAX_MIME_GROUPS = 1_000;

/**
 * Parses a message of the Internet (RFC 5322, MIME). Messages within it are attachments.
 *
 * @throws UnreadableError beyond the limits.
 */
export async function parseMime(bytes: Uint8Array): Promise<Email> {
	assertFewGroups(bytes);
	try {
		return await PostalMime.parse(bytes, {
			forceRfc822Attachments: true,
			maxNestingDepth: MAX_MIME_DEPTH,
			maxHeadersSize: MAX_MIME_HEADER_BYTES,
		});
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		if (!/^Maximum/u.test(reason)) throw error;
		const what = /header/iu.test(reason) ? "its headers are too large" : "its parts are nested too deeply";
		throw new UnreadableError(what, { code: "too_complex", cause: error });
	}
}

function assertFewGroups(bytes: Uint8Array): void {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let groups = 0;
	for (let at = buffer.indexOf("boundary="); at !== -1; at = buffer.indexOf("boundary=", at + 1)) groups += 1;
	if (groups > MAX_MIME_GROUPS)
		throw new UnreadableError("it has too many groups of parts", { code: "too_complex" });
}

/** Checks for a header that every message has one of. */
export const hasMailHeader = ({ headers }: Email): boolean =>
	headers.some(({ key }) =>
		/^(?:from|to|subject|date|message-id|mime-version|content-type|received)$/u.test(key),
	);

export const toMailMessage = (email: Email): MailMessage => ({
	subject: email.subject,
	header: toHeaderLines({
		From: toAddressLine(toMailboxes(email.from ? [email.from] : [])),
		To: toAddressLine(toMailboxes(email.to)),
		Cc: toAddressLine(toMailboxes(email.cc)),
		Date: email.headers.find(({ key }) => key === "date")?.value,
		Subject: email.subject,
	}),
	text: email.text,
	html: email.html,
	attachments: email.attachments.map(({ filename, mimeType, content, related }) => ({
		name: filename?.trim() ?? "",
		mediaType: mimeType,
		bytes: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
		isInline: related === true && mimeType.startsWith("image/"),
	})),
});

const toMailboxes = (addresses: readonly Address[] = []): Mailbox[] =>
	addresses.flatMap((address) => address.group ?? address);
