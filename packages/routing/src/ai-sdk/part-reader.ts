import { drainReader } from "../http/drain-reader";
import { asObject, type Fields } from "../http/lenient-json";

/** The parts of a stream, one by one. */
export interface PartReader {
	/** The next part; undefined at the end. */
	read(): Promise<Fields | undefined>;
	/** Leaves the rest: what is wanted no more is stopped, what merely follows the answer runs out. */
	release(isComplete: boolean): void;
}

export function openParts(stream: ReadableStream<unknown>): PartReader {
	const reader = stream.getReader();
	const cancel = (): void => {
		// What is cancelled has failed already, or does not matter any more.
		reader.cancel().catch(() => undefined);
	};
	return {
		async read() {
			const { done, value } = await reader.read();
			return done ? undefined : asObject(value);
		},
		release: (isComplete) => (isComplete ? void drainReader(reader, cancel) : cancel()),
	};
}
