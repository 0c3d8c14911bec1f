/** The body of an answer, piece by piece. */
export interface BodyReader {
	/** The next piece as `value`; undefined at the end. In a wrapper, as streams give it: small pieces come by the thousand. */
	read(): Promise<{ readonly value?: Uint8Array | string | undefined }>;
	/** Nothing more is wanted. */
	cancel(): void;
	/** Nothing more is expected: reads on to the end for a moment, so that the connection can be used again. */
	drain(): void;
}

const DRAIN_MS = 1_000;

/** Where `fetch` gives no body streams (React Native), the whole body is one piece: text, unless it is binary. */
export function openBody(response: Response, isBinary: boolean): BodyReader {
	const reader = response.body?.getReader();
	if (reader !== undefined) return readPieces(reader);
	return readAtOnce(async () => (isBinary ? new Uint8Array(await response.arrayBuffer()) : response.text()));
}

function readPieces(reader: ReadableStreamDefaultReader<Uint8Array>): BodyReader {
	const cancel = (): void => {
		// What is cancelled has failed already, or does not matter any more.
		reader.cancel().catch(() => undefined);
	};
	async function drain(): Promise<void> {
		const timer = setTimeout(cancel, DRAIN_MS);
		try {
			while (!(await reader.read()).done);
		} catch {
			// The answer is complete: whatever ended the connection changes nothing.
		} finally {
			clearTimeout(timer);
		}
	}
	return { read: () => reader.read(), cancel, drain: () => void drain() };
}

function readAtOnce(readAll: () => Promise<Uint8Array | string>): BodyReader {
	let isRead = false;
	return {
		async read() {
			if (isRead) return {};
			isRead = true;
			return { value: await readAll() };
		},
		cancel: () => undefined,
		drain: () => undefined,
	};
}
