import { ApiError, StreamError } from "@stemma/client";
import { AgentGraphError, formatPath, isStemmaError, type StemmaError } from "@stemma/core/errors";
import { report } from "./print";
import { sanitizeLine, sanitizeText, style, type Terminal } from "./terminal";

/** Writes an error for a person: what happened and what to do, never a stack of our own mistakes' making. */
export function reportError(terminal: Pick<Terminal, "stderr">, error: unknown, file?: string): void {
	const { stderr } = terminal;
	if (AgentGraphError.is(error) && file !== undefined) {
		stderr.write(formatIssues(error, file));
		return;
	}
	const label = style(stderr, ["red", "bold"], "error:");
	if (isStemmaError(error)) {
		stderr.write(`${label} ${sanitizeText(error.message)}\n`);
		if (error.hint !== undefined) report(terminal, "hint", sanitizeText(error.hint));
		const requestId = findRequestId(error);
		if (requestId !== "")
			stderr.write(`${style(stderr, "dim", "request:")} ${sanitizeText(requestId)} (in the service's log)\n`);
		return;
	}
	const message = error instanceof Error ? error.message : String(error);
	stderr.write(`${label} ${sanitizeText(message)}\n`);
	report(terminal, "hint", "This was not expected. Set STEMMA_DEBUG=1 to see where it happened.");
	if (process.env.STEMMA_DEBUG === "1" && error instanceof Error)
		stderr.write(`${sanitizeText(String(error.stack))}\n`);
}

/** The service is well, and not set up for it. */
const NOT_CONFIGURED = 501;

/** Returns the request id of an error in the service itself, whose log has more; empty for other errors. */
function findRequestId(error: StemmaError): string {
	if (StreamError.is(error)) return error.requestId;
	return ApiError.is(error) && error.status >= 500 && error.status !== NOT_CONFIGURED ? error.requestId : "";
}

/** Every violation as `file:path: message`. */
export function formatIssues({ issues }: AgentGraphError, file: string): string {
	return issues
		.map(({ path, message }) => `${sanitizeLine(`${file}:${formatPath(path)}: ${message}`)}\n`)
		.join("");
}
