import type { OpenResponse } from "../client";
import type { CallTimeout } from "./call-timeout";
import type { BodyReader, FetchResponse } from "./platform";

type ReadResult = Awaited<ReturnType<BodyReader["read"]>>;

/** Reads a body piece by piece, or as one piece where the platform gives no other. */
export function createBodyReader(
	response: FetchResponse,
	callTimeout: CallTimeout,
): Pick<OpenResponse, "read" | "close"> {
	// A body that is taken by `text()` or `json()` must not be locked before.
	let reader: BodyReader | undefined;
	let isAtEnd = false;
	const toChunk: (result: ReadResult) => ReadResult["value"] = ({ done, value = "" }) => {
		isAtEnd = done;
		return done ? undefined : value;
	};
	return {
		read() {
			if (isAtEnd) return Promise.resolve(undefined);
			reader ??= response.body?.getReader();
			isAtEnd = reader === undefined;
			if (reader === undefined) return callTimeout.wait(response.text(), "headersTimeoutMs");
			return callTimeout.wait(reader.read(), "idleTimeoutMs", toChunk);
		},
		close() {
			if (!isAtEnd) reader?.cancel().catch(() => undefined);
			isAtEnd = true;
			callTimeout.end();
		},
	};
}
