import type { Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { CallLog } from "../calls/call-log";
import { toStoredError, toThrownError } from "../calls/stored-error";

/** Options of {@link recordCall}. */
export interface RecordedCall {
	readonly name: string;
	/** Default false; see `CallRequest.storesStart`. */
	readonly storesStart?: boolean;
	/** Code of errors without one. */
	readonly errorCode: string;
	readonly signal: AbortSignal;
	/** Makes the call. @param isRepeated - see `CallRequest.perform`. */
	call(isRepeated: boolean): Promise<Json>;
}

/** Makes a call once, and gives its outcome in this execution and in all later ones. A call that was aborted before is not made. */
export const recordCall = (
	log: CallLog,
	{ name, storesStart = false, errorCode, signal, call }: RecordedCall,
): Promise<Json> =>
	new Promise((resolve, reject) => {
		log.request({
			name,
			storesStart,
			async perform(isRepeated) {
				try {
					signal.throwIfAborted();
					return { value: await call(isRepeated) };
				} catch (error) {
					return { error: toStoredError(error, errorCode) };
				}
			},
			deliver({ value = null, error }) {
				if (isJsonObject(error)) reject(toThrownError(error));
				else resolve(value);
			},
		});
	});
