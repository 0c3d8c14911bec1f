import { HeaderMarshaller, type MessageHeaders } from "@smithy/eventstream-codec";

/**
 * Creates a reader of the headers of messages, over AWS's codec. Most messages have the headers of the one before, which
 * are returned as they are: decoding them again would take as long as everything else. Throws where the headers do not
 * end where they should.
 */
export function createHeaderReader(): (bytes: Uint8Array) => MessageHeaders {
	const decoder = new TextDecoder();
	const marshaller = new HeaderMarshaller(
		(bytes) => (typeof bytes === "string" ? bytes : decoder.decode(bytes)),
		(text) => new TextEncoder().encode(text),
	);
	let known = new Uint8Array();
	let headers: MessageHeaders = {};
	return (bytes) => {
		if (isEqual(bytes, known)) return headers;
		// A copy, so that the codec cannot read on behind the headers.
		const copy = new Uint8Array(bytes);
		headers = marshaller.parse(new DataView(copy.buffer));
		known = copy;
		return headers;
	};
}

function isEqual(bytes: Uint8Array, known: Uint8Array): boolean {
	if (bytes.length !== known.length) return false;
	for (let at = 0; at < bytes.length; at++) if (bytes[at] !== known[at]) return false;
	return true;
}
