import { makeCall } from "../http/attempts";
import type { RerankReply } from "../reranker";

/** The reply to a list without texts: no call is made. Rejects with the reason of a signal that is aborted. */
export const emptyRerank = (signal: AbortSignal | undefined): Promise<RerankReply> =>
	makeCall(signal, async (callTimeout) => {
		callTimeout.throwIfEnded();
		return { scores: [], attempts: 0 };
	});
