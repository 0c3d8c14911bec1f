import type { ParsedDocument } from "../../document-part";
import { UnreadableError } from "../../unreadable-error";
import { toDocument } from "../to-document";
import { RtfReader } from "./rtf-reader";
import { readRtfTokens } from "./rtf-tokens";

/** Reads RTF, without headers, footers, deletions and hidden text. */
export function readRtf(bytes: Uint8Array): ParsedDocument {
	const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
	if (!/^(?:ï»¿)?\s*\{\\rtf/u.test(source))
		throw new UnreadableError("it is not RTF (it does not begin with {\\rtf)");
	const reader = new RtfReader();
	for (const token of readRtfTokens(source)) reader.read(token);
	const { blocks, title } = reader.finish();
	return toDocument(blocks, title);
}
