import type { CallGuard } from "./call-guard";
import type { OpenAnswer } from "./client";
import type { FetchResponse } from "./platform";

/** Reads a body piece by piece, or as one piece where the platform gives no other. */
export function createBodyReader(
	response: FetchResponse,
	guard: CallGuard,
	toError: (error: unknown) => unknown,
): Pick<OpenAnswer, "read" | "close"> {
	const { body } = response;
	// A body that is taken by `text()` or `json()` must not be locked before.
	let reader: ReturnType<NonNullable<typeof body>["getReader"]> | undefined;
	let isAtEnd = false;

	async function readPiece(): Promise<Uint8Array | string | undefined> {
		if (body === null || body === undefined) {
			isAtEnd = true;
			return guard.wait(response.text(), "responseMs");
		}
		reader ??= body.getReader();
		const { done, value } = await guard.wait(reader.read(), "silenceMs");
		if (!done) return value ?? "";
		isAtEnd = true;
		return undefined;
	}

	function close(): void {
		if (!isAtEnd) reader?.cancel().catch(() => undefined);
		isAtEnd = true;
		guard.end();
	}

	return {
		async read() {
			if (isAtEnd) return undefined;
			try {
				return await readPiece();
			} catch (error) {
				throw toError(error);
			}
		},
		close,
	};
}
