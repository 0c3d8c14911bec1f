import { drainReader } from "./drain-reader";

/** The body of an answer, piece by piece. */
export interface BodyReader {
	/** The next piece as `value`; undefined at the end. In a wrapper, as streams give it: small pieces come by the thousand. */
	read(): Promise<{ readonly value?: Uint8Array | string | undefined }>;
	/** Cancels the body: nothing more of it is wanted. */
	cancel(): void;
	/** Leaves the rest: what is wanted no more is stopped, what is merely unread runs out. */
	release(isComplete: boolean): void;
}

/**
 * Opens the body of a response. Where `fetch` gives no body streams (React Native), the whole body is one piece: text,
 * unless it is binary.
 */
export function openBody(response: Response, isBinary: boolean): BodyReader {
	const reader = response.body?.getReader() ?? readBuffered(response, isBinary);
	const cancel = (): void => {
		// What is cancelled has failed already, or does not matter any more.
		reader.cancel().catch(() => undefined);
	};
	return {
		read: () => reader.read(),
		cancel,
		release: (isComplete) => (isComplete ? void drainReader(reader, cancel) : cancel()),
	};
}

function readBuffered(response: Response, isBinary: boolean) {
	let done = false;
	return {
		async read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | string }> {
			if (done) return { done };
			done = true;
			const value = isBinary ? new Uint8Array(await response.arrayBuffer()) : await response.text();
			return { done: false, value };
		},
		cancel: async (): Promise<void> => undefined,
	};
}
