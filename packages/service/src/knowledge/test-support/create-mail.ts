/** File that is attached to a mail. */
export interface MailFile {
	/** Left out: it has none. */
	readonly name?: string;
	readonly content: string | Uint8Array;
	/** Default `application/octet-stream`. */
	readonly type?: string;
}

/** A mail message with attachments, as a file. */
export function createMail(subject: string, text: string, files: readonly MailFile[]): string {
	const boundary = `b-${subject.replace(/\W/g, "-")}`;
	const parts = [`Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`, ...files.map(toPart)];
	return [
		`Subject: ${subject}`,
		"From: Ada <ada@example.com>",
		"MIME-Version: 1.0",
		`Content-Type: multipart/mixed; boundary="${boundary}"`,
		"",
		...parts.map((part) => `--${boundary}\r\n${part}`),
		`--${boundary}--`,
		"",
	].join("\r\n");
}

function toPart({ name, content, type = "application/octet-stream" }: MailFile): string {
	if (type === "message/rfc822") return `Content-Type: ${type}\r\n\r\n${String(content)}`;
	const disposition = `Content-Disposition: attachment${name === undefined ? "" : `; filename="${name}"`}`;
	const encoded = Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\r\n");
	return `Content-Type: ${type}\r\n${disposition}\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}`;
}
