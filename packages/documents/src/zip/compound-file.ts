import { UnreadableError } from "../unreadable-error";

/** First bytes of a Compound File (MS-CFB): Office before 2007, and encrypted files of Office since. */
const SIGNATURE = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** Name of the stream that holds an encrypted file (MS-OFFCRYPTO). */
const ENCRYPTED_STREAM = Buffer.from("EncryptedPackage", "utf16le");

export const isCompoundFile = (bytes: Uint8Array): boolean =>
	SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));

/** @throws UnreadableError for a Compound File where a zip container should be. */
export function assertNotCompoundFile(bytes: Uint8Array): void {
	if (!isCompoundFile(bytes)) return;
	if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(ENCRYPTED_STREAM))
		throw new UnreadableError("it is protected by a password", { code: "password_protected" });
	throw new UnreadableError("it is in a format of Office 97-2003 (.doc, .xls, .ppt)", {
		hint: "Save it as .docx, .xlsx or .pptx, then upload it again.",
	});
}
