import type { ParsedDocument } from "../document-part";
import { readHtml } from "../html/read-html";
import type { OriginalPlace } from "../original-place";
import { readPlainText } from "../read-plain-text";
import { createTextExtraction, type TextExtraction } from "../text-extraction";
import { UnreadableError } from "../unreadable-error";
import type { MailAttachment, MailMessage, ParseAttachment } from "./mail-message";
import { splitHtml, splitText } from "./quoted-history";

/** Attachments of one message that are read. */
export const MAX_ATTACHMENTS = 100;
const MAX_LISTED_ATTACHMENTS = 20;
/** Length of the plain text, as a share of that of the HTML, from which it is the whole message and not a stand-in. */
const MIN_TEXT_SHARE = 0.5;
/** Below the title, which is the subject. */
const HEADING_LEVEL = 2;

const BODY: OriginalPlace = { kind: "part", part: "body" };
const QUOTED: OriginalPlace = { kind: "part", part: "quoted" };
const SIGNATURES = /^application\/(?:x-)?(?:pkcs7-signature|pgp-signature|pgp-keys)$/u;
const ENCRYPTED = /^application\/(?:(?:x-)?pkcs7-mime|pgp-encrypted)$/u;

interface ReadAttachment {
	readonly name: string;
	/** Title of its own. */
	readonly title?: string | undefined;
	readonly parts: ParsedDocument["parts"];
	/** Reason why it is not read. */
	readonly reason?: string;
}

/**
 * A message as a document: header, newest text, earlier messages under a heading, and each attachment that can be read
 * under its name.
 *
 * @throws UnreadableError for an encrypted message.
 */
export async function toMessageDocument(
	message: MailMessage,
	parse: ParseAttachment,
): Promise<ParsedDocument> {
	assertNotEncrypted(message);
	const attachments = await readAttachments(message.attachments, parse);
	const extraction = createTextExtraction();
	addHeader(extraction, message, attachments);
	addBody(extraction, message);
	for (const { name, title, parts } of attachments) {
		if (parts.length === 0) continue;
		const place: OriginalPlace = { kind: "part", part: name };
		extraction.addHeading(HEADING_LEVEL, { text: title ? `${name}: ${title}` : name, place });
		extraction.addParts(parts, place, HEADING_LEVEL);
	}
	return extraction.finish(message.subject);
}

function assertNotEncrypted({ text, html, attachments }: MailMessage): void {
	if (text?.trim() || html?.trim() || !attachments.some(({ mediaType }) => ENCRYPTED.test(mediaType))) return;
	throw new UnreadableError("it is encrypted", {
		code: "password_protected",
		hint: "Save it decrypted from your mail program, then upload it again.",
	});
}

async function readAttachments(
	attachments: readonly MailAttachment[],
	parse: ParseAttachment,
): Promise<ReadAttachment[]> {
	const shown = attachments.filter(({ mediaType, isInline }) => !isInline && !SIGNATURES.test(mediaType));
	const read: ReadAttachment[] = [];
	for (const [index, attachment] of shown.entries()) {
		const name = attachment.name || `attachment ${index + 1}`;
		if (index >= MAX_ATTACHMENTS) read.push({ name, parts: [], reason: "there are too many" });
		else if (attachment.isMissing) read.push({ name, parts: [], reason: "it is not in the message" });
		else read.push(await readAttachment({ ...attachment, name }, parse));
	}
	return read;
}

async function readAttachment(attachment: MailAttachment, parse: ParseAttachment): Promise<ReadAttachment> {
	const { name } = attachment;
	try {
		const { parts, title } = await parse(attachment);
		return { name, title, parts };
	} catch (error) {
		if (!(error instanceof UnreadableError)) throw error;
		return { name, parts: [], reason: error.message };
	}
}

function addHeader(
	extraction: TextExtraction,
	{ header }: MailMessage,
	attachments: readonly ReadAttachment[],
): void {
	const listed = attachments
		.slice(0, MAX_LISTED_ATTACHMENTS)
		.map(({ name, reason }) => (reason === undefined ? name : `${name} (not read: ${reason})`));
	const more = attachments.length - listed.length;
	const names = listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
	const lines = [...header, ...(names === "" ? [] : [`Attachments: ${names}`])];
	extraction.addBlock(
		lines.map((text) => ({ text, place: BODY })),
		{ separator: "\n" },
	);
}

function addBody(extraction: TextExtraction, message: MailMessage): void {
	const { newest, quoted } = readBody(message);
	extraction.addParts(newest, BODY, HEADING_LEVEL - 1);
	if (quoted.length === 0) return;
	extraction.addHeading(HEADING_LEVEL, { text: "Earlier messages", place: QUOTED });
	extraction.addParts(quoted, QUOTED, HEADING_LEVEL);
}

type Parts = ParsedDocument["parts"];

/** The plain text, unless the HTML says far more. */
function readBody({ text = "", html = "" }: MailMessage): { newest: Parts; quoted: Parts } {
	if (html.trim() !== "") {
		const split = splitHtml(html);
		const body = { newest: readHtml(split.newest).parts, quoted: readHtml(split.quoted).parts };
		if (text.trim().length < lengthOf([...body.newest, ...body.quoted]) * MIN_TEXT_SHARE) return body;
	}
	const split = splitText(text);
	return { newest: readPlainText(split.newest).parts, quoted: readPlainText(split.quoted).parts };
}

const lengthOf = (parts: Parts): number => parts.reduce((sum, { text }) => sum + text.length, 0);
