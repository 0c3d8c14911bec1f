import { ConfigurationError } from "@stemma/core/errors";
import type { Unreadable } from "./list-files";

const MAX_LISTED = 20;

/** One error for all that cannot be read, with what to do about it. */
export function toUnreadableError(
	folder: string,
	unreadable: readonly Unreadable[],
	skipped: boolean,
): ConfigurationError {
	const count = unreadable.length === 1 ? "1 document" : `${unreadable.length} documents`;
	const lines = unreadable.slice(0, MAX_LISTED).map(({ path, reason }) => `\n  ${path}: ${reason}`);
	const more = unreadable.length > MAX_LISTED ? `\n  … and ${unreadable.length - MAX_LISTED} more` : "";
	const first = skipped ? "Nothing could be read" : `${count} cannot be read`;
	return new ConfigurationError(`${first} in the folder "${folder}":${lines.join("")}${more}`, {
		hint: skipped ? "Fix them." : "Fix or remove them, or go on without them with --skip-unreadable.",
	});
}
