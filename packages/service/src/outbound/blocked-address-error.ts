import { isErrorOf, StemmaError } from "@stemma/core/errors";

/**
 * - `malformed`: no plain http(s) address; nothing that an operator allows would change that.
 * - `not_public`: it leads, or may lead, to an address that is not of the public internet.
 */
export type BlockedReason = "malformed" | "not_public";

const HINTS: Readonly<Record<BlockedReason, string>> = {
	malformed: "Write it as in https://api.example.com/v1; credentials have settings of their own.",
	not_public:
		'The operator of the service can open it with the setting `outbound.allow`: a host, an address, a range or the word "private". Link-local and metadata addresses are never opened.',
};

/**
 * An address that the service does not call; nothing was sent. Code `blocked_address`. What a name leads to and what
 * answers there stays untold; the hint names the setting of the operator.
 */
export class BlockedAddressError extends StemmaError {
	static override get stemmaName(): string {
		return "BlockedAddressError";
	}
	readonly reason: BlockedReason;
	/** Number of attempts: nothing was sent, so there is no row on a receipt. */
	readonly attempts = 0;

	constructor(reason: BlockedReason, message: string) {
		super(message, { code: "blocked_address", hint: HINTS[reason] });
		this.reason = reason;
	}

	static override is(error: unknown): error is BlockedAddressError {
		return isErrorOf(error, BlockedAddressError);
	}
}
