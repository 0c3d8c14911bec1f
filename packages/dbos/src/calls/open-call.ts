import type { CallRecord, CallRequest, DiscardedCall } from "./call";
import { createDeferred } from "./deferred";

/** A call that was started as a step, and whose outcome the engine does not have yet. */
export class OpenCall {
	readonly request: CallRequest;
	readonly #isRepeated: boolean;
	readonly #started = createDeferred<boolean>();
	readonly #admitted = createDeferred<Pick<CallRecord, "order" | "at"> | undefined>();
	#isUnrecorded = false;
	#record: CallRecord | DiscardedCall | undefined;

	constructor(request: CallRequest, isRepeated: boolean) {
		this.request = request;
		this.#isRepeated = isRepeated;
	}

	/** True once it has turned out whether its outcome is stored. */
	get isKnown(): boolean {
		return this.#isUnrecorded || this.#record !== undefined;
	}

	get record(): CallRecord | DiscardedCall | undefined {
		return this.#record;
	}

	/** Place of its stored outcome. Undefined where none is stored, or it was discarded. */
	get order(): number | undefined {
		return this.#record !== undefined && "order" in this.#record ? this.#record.order : undefined;
	}

	setRecord(record: CallRecord | DiscardedCall): void {
		this.#record = record;
	}

	setUnrecorded(): void {
		this.#isUnrecorded = true;
	}

	start(): void {
		this.#started.resolve(true);
	}

	/** Has the outcome stored, as the next one. */
	admit(place: Pick<CallRecord, "order" | "at">): void {
		this.#admitted.resolve(place);
	}

	discard(): void {
		this.#started.resolve(false);
		this.#admitted.resolve(undefined);
	}

	/** Makes the call once it may start, and gives its record once it may be stored. @param onFinished - it has ended. */
	async perform(onFinished: () => void): Promise<CallRecord | DiscardedCall> {
		if (!(await this.#started.promise)) return { discarded: true };
		const finished = this.request.perform(this.#isRepeated).then((outcome) => {
			onFinished();
			return outcome;
		});
		const place = await this.#admitted.promise;
		return place === undefined ? { discarded: true } : { ...place, outcome: await finished };
	}
}
