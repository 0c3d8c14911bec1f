import { createRequire } from "node:module";
import type { FieldsData } from "@kenjiuno/msgreader";
import { decodeHtml } from "../decode";
import type { ParsedDocument } from "../document-part";
import { UnreadableError } from "../unreadable-error";
import { assertSoundCompoundFile } from "./check-compound-file";
import {
	type MailAttachment,
	type MailMessage,
	type ParseAttachment,
	toAddressLine,
	toHeaderLines,
} from "./mail-message";
import { toMessageDocument } from "./message-document";

/** The default export of a CommonJS module is another one in Node than for its types. */
const { default: MsgReader }: typeof import("@kenjiuno/msgreader") = createRequire(import.meta.url)(
	"@kenjiuno/msgreader",
);

/** Reads a message that Outlook saved, with its attachments. @throws UnreadableError */
export async function readMsg(bytes: Uint8Array, parse: ParseAttachment): Promise<ParsedDocument> {
	return toMessageDocument(parseMsg(bytes), parse);
}

function parseMsg(bytes: Uint8Array): MailMessage {
	assertSoundCompoundFile(bytes);
	// A copy, which `slice` of a Buffer is not: the library reads the whole memory behind the bytes.
	const reader = new MsgReader(new Uint8Array(bytes).buffer);
	reader.parserConfig = { ansiEncoding: "windows-1252" };
	const fields = reader.getFileData();
	if (fields.error !== undefined) throw new UnreadableError(`it is damaged (${fields.error})`);
	const { subject, body, bodyHtml, html, attachments = [] } = fields;
	return {
		subject,
		header: toHeaderLines({
			From: toAddressLine([
				{ name: fields.senderName, address: fields.senderSmtpAddress ?? fields.senderEmail },
			]),
			To: toRecipients(fields, "to"),
			Cc: toRecipients(fields, "cc"),
			Date: fields.messageDeliveryTime ?? fields.clientSubmitTime,
			Subject: subject,
		}),
		text: body,
		html: bodyHtml ?? (html && decodeHtml(html)),
		attachments: attachments.map((attachment) => toAttachment(attachment, reader)),
	};
}

function toAttachment(
	attachment: FieldsData,
	reader: Pick<InstanceType<typeof MsgReader>, "getAttachment">,
): MailAttachment {
	// The library fails where the data are missing; those of a message within are made when they are asked for.
	const isMissing = attachment.dataId === undefined && attachment.innerMsgContent !== true;
	const { fileName, content } = isMissing
		? { fileName: attachment.fileName, content: new Uint8Array() }
		: reader.getAttachment(attachment);
	return {
		name: fileName || attachment.name || "",
		mediaType: attachment.innerMsgContent ? "application/vnd.ms-outlook" : (attachment.attachMimeTag ?? ""),
		bytes: content,
		isInline: attachment.attachmentHidden === true || attachment.pidContentId !== undefined,
		isMissing,
	};
}

const toRecipients = ({ recipients = [] }: FieldsData, type: "to" | "cc"): string =>
	toAddressLine(
		recipients
			.filter(({ recipType = "to" }) => recipType === type)
			.map(({ name, smtpAddress, email }) => ({ name, address: smtpAddress ?? email })),
	);
