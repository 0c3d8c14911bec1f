import type { A2aAgentCard } from "@stemma/client/a2a";
import { A2aServerError } from "../a2a-server-error";

/**
 * Asserts that the card offers streams (A2A 1.0.1, section 3.3.4).
 *
 * @throws A2aServerError `UNSUPPORTED_OPERATION`.
 */
export function assertStreaming({ capabilities }: A2aAgentCard): void {
	if (capabilities.streaming === true) return;
	throw new A2aServerError("UNSUPPORTED_OPERATION", "This agent does not stream.", {
		hint: "Send the message with SendMessage, and read the task with GetTask.",
	});
}
