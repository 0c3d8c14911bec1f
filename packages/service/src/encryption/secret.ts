import { inspect } from "node:util";

const REDACTED = "[secret]";

/**
 * A text that nothing shows by accident: not a log, an error, JSON, an inspection or a copy. Only {@link Secret.reveal}
 * gives it, and only what signs, sends or encrypts calls that.
 */
export class Secret {
	readonly #value: string;

	constructor(value: string) {
		this.#value = value;
		Object.freeze(this);
	}

	/** The text itself. */
	reveal(): string {
		return this.#value;
	}

	toString(): string {
		return REDACTED;
	}

	toJSON(): string {
		return REDACTED;
	}

	[inspect.custom](): string {
		return REDACTED;
	}
}
