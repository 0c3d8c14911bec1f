import { asObject, type Fields } from "../http/lenient-json";

/** The parts of a stream, one by one. */
export interface PartReader {
	/** The next part; undefined at the end. */
	read(): Promise<Fields | undefined>;
	/** Leaves the rest: what is wanted no more is stopped, what merely follows the answer runs out. */
	release(isComplete: boolean): void;
}

/**
 * Maximum time that the end of a stream may take after its last part, in milliseconds. A stream read to its end lets
 * the connection be used again.
 */
const DRAIN_TIMEOUT_MS = 1_000;

export function openParts(stream: ReadableStream<unknown>): PartReader {
	const reader = stream.getReader();
	const cancel = (): void => {
		// What is cancelled has failed already, or does not matter any more.
		reader.cancel().catch(() => undefined);
	};
	async function drain(): Promise<void> {
		const timer = setTimeout(cancel, DRAIN_TIMEOUT_MS);
		try {
			while (!(await reader.read()).done);
		} catch {
			// The answer is complete: whatever ended the stream changes nothing.
		} finally {
			clearTimeout(timer);
		}
	}
	return {
		async read() {
			const { done, value } = await reader.read();
			return done ? undefined : asObject(value);
		},
		release: (isComplete) => (isComplete ? void drain() : cancel()),
	};
}
