import { DomainError } from "../../errors/domain-error";
import type { ServiceContext } from "../service-context";

/**
 * Counts an attempt to sign in, before anything of it is checked, so that trying is slow.
 *
 * @throws DomainError `rate_limited` where the address, or all together, made too many in the last minute.
 */
export function countSignIn(context: ServiceContext): void {
	const seconds = context.get("kernel").people.throttle.countAttempt(context.env?.address);
	if (seconds === 0) return;
	throw new DomainError("rate_limited", "There were too many attempts to sign in.", {
		hint: "Wait as long as the header retry-after says.",
		retryAfterSeconds: seconds,
	});
}
