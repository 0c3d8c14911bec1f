import type { CallGuard } from "./call-guard";
import type { OpenAnswer } from "./client";
import type { BodyReader, FetchResponse } from "./platform";

/** Reads a body piece by piece, or as one piece where the platform gives no other. */
export function createBodyReader(
	response: FetchResponse,
	guard: CallGuard,
): Pick<OpenAnswer, "read" | "close"> {
	// A body that is taken by `text()` or `json()` must not be locked before.
	let reader: BodyReader | undefined;
	let isAtEnd = false;
	return {
		async read() {
			if (isAtEnd) return undefined;
			reader ??= response.body?.getReader();
			if (reader === undefined) {
				isAtEnd = true;
				return guard.wait(response.text(), "responseMs");
			}
			const { done, value } = await guard.wait(reader.read(), "silenceMs");
			isAtEnd = done;
			return done ? undefined : (value ?? "");
		},
		close() {
			if (!isAtEnd) reader?.cancel().catch(() => undefined);
			isAtEnd = true;
			guard.end();
		},
	};
}
