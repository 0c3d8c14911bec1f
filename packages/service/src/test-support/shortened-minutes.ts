import { vi } from "vitest";

const MINUTE_MS = 60_000;
/** Long enough for what is quick, also on a busy machine. */
const SHORTENED_MS = 2000;

/** What waits for a minute in this process waits less while `work` goes on: vendors are given as long. */
export async function withShortenedMinutes<Result>(work: () => Promise<Result>): Promise<Result> {
	const { setTimeout } = globalThis;
	const shortened = (run: () => void, delay?: number, ...rest: unknown[]) =>
		setTimeout(run, delay === MINUTE_MS ? SHORTENED_MS : delay, ...rest);
	const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(shortened as typeof setTimeout);
	try {
		return await work();
	} finally {
		spy.mockRestore();
	}
}
