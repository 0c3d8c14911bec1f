import { TextDecoder } from "@exodus/bytes/encoding.js";

/** Decodes bytes that come in pieces: a character of Japanese can be half as a number and half as it is. */
export interface RtfDecoder {
	/** @param bytes - one character for each byte. */
	add(bytes: string, encoding: string): void;
	/** Gives on what has been added. */
	flush(): void;
}

export function createRtfDecoder(onText: (text: string) => void): RtfDecoder {
	const decoders = new Map<string, TextDecoder>();
	let pending = "";
	let pendingEncoding = "";

	function decode(bytes: string, encoding: string): string {
		if (/^[\0-\x7f]*$/u.test(bytes)) return bytes;
		const decoder = decoders.get(encoding) ?? new TextDecoder(encoding);
		decoders.set(encoding, decoder);
		return decoder.decode(Buffer.from(bytes, "latin1"));
	}

	function flush(): void {
		if (pending === "") return;
		const text = decode(pending, pendingEncoding);
		pending = "";
		onText(text);
	}

	return {
		add(bytes, encoding) {
			if (encoding !== pendingEncoding) flush();
			pendingEncoding = encoding;
			pending += bytes;
		},
		flush,
	};
}
