import type { CallGuard } from "./call-guard";
import type { OpenAnswer } from "./client";
import type { BodyReader, FetchResponse } from "./platform";

type Piece = Awaited<ReturnType<BodyReader["read"]>>;

/** Reads a body piece by piece, or as one piece where the platform gives no other. */
export function createBodyReader(
	response: FetchResponse,
	guard: CallGuard,
): Pick<OpenAnswer, "read" | "close"> {
	// A body that is taken by `text()` or `json()` must not be locked before.
	let reader: BodyReader | undefined;
	let isAtEnd = false;
	const usePiece: (piece: Piece) => Piece["value"] = ({ done, value = "" }) => {
		isAtEnd = done;
		return done ? undefined : value;
	};
	return {
		read() {
			if (isAtEnd) return Promise.resolve(undefined);
			reader ??= response.body?.getReader();
			isAtEnd = reader === undefined;
			if (reader === undefined) return guard.wait(response.text(), "responseMs");
			return guard.wait(reader.read(), "silenceMs", usePiece);
		},
		close() {
			if (!isAtEnd) reader?.cancel().catch(() => undefined);
			isAtEnd = true;
			guard.end();
		},
	};
}
