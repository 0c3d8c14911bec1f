import type { ParsedDocument } from "../document-part";

/** A mail message, of whatever format of file. */
export interface MailMessage {
	readonly subject?: string | undefined;
	/** Lines of the header as they are shown, such as `From: Ada <ada@example.com>`. */
	readonly header: readonly string[];
	readonly text?: string | undefined;
	readonly html?: string | undefined;
	readonly attachments: readonly MailAttachment[];
}

export interface MailAttachment {
	/** Name of the file; empty where it has none. */
	readonly name: string;
	readonly mediaType: string;
	readonly bytes: Uint8Array;
	/** The HTML of the message shows it, as it does pictures. */
	readonly isInline: boolean;
	/** Set where its bytes are not in the message: a link to a file, or an object of another program. */
	readonly isMissing?: boolean;
}

/** Reads an attachment as a document. @throws UnreadableError with the reason. */
export type ParseAttachment = (
	attachment: Pick<MailAttachment, "name" | "mediaType" | "bytes">,
) => Promise<ParsedDocument>;

const MAX_SHOWN_ADDRESSES = 20;

/** Lines of a header; those without a value are left out. */
export const toHeaderLines = (fields: Readonly<Record<string, string | undefined>>): string[] =>
	Object.entries(fields).flatMap(([name, value]) => {
		const text = value?.replace(/\s+/gu, " ").trim();
		return text ? [`${name}: ${text}`] : [];
	});

/** Addresses as one line. */
export function toAddressLine(
	addresses: readonly { readonly name?: string | undefined; readonly address?: string | undefined }[],
): string {
	const shown = addresses
		.slice(0, MAX_SHOWN_ADDRESSES)
		.map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ""));
	const more = addresses.length - shown.length;
	return shown.filter(Boolean).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
