import type { Reindex } from "@stemma/client";
import { describePayer } from "../terminal/render/describe-payer";
import { sanitizeLine } from "../terminal/terminal";
import { count } from "../terminal/text/count";
import { formatTable } from "../terminal/text/table";

/** Formats the plan of a move. */
export function formatPlan(slug: string, { from, to, passages, payer, plan }: Reindex): string {
	const tokens = plan?.estimated_tokens ?? 0;
	const maxTokens = plan?.max_tokens ?? 0;
	return formatTable([
		["knowledge base", slug],
		["now", describeSpace(from)],
		["moves to", describeSpace(to)],
		["passages", `${toNumber(plan?.passages ?? 0)} of ${toNumber(passages.total)} get a vector`],
		["tokens", `about ${toNumber(tokens)}, at most ${toNumber(maxTokens)}`],
		["payer", `${describePayer(payer)}: ${sanitizeLine(plan?.reason ?? "")}`],
	]);
}

/** Formats how far a move is. */
export function formatReindex(reindex: Reindex): string {
	const { status, from, to, passages, payer, error, undo_until } = reindex;
	if (status === "idle") return `Its passages are found by ${describeSpace(from)}. It is not moving.\n`;
	return formatTable([
		["status", status],
		["found by", describeSpace(from)],
		[status === "completed" ? "undo moves to" : "moves to", describeSpace(to)],
		["passages", `${toNumber(passages.done)} of ${toNumber(passages.total)}`],
		...(passages.skipped > 0 ? [["refused", `${toNumber(passages.skipped)}: found by words alone`]] : []),
		["payer", describePayer(payer)],
		...(error === null ? [] : [["error", sanitizeLine(`${error.message} (${error.code})`)]]),
		...(error?.hint === undefined ? [] : [["hint", sanitizeLine(error.hint)]]),
		...(undo_until === null ? [] : [["undo until", undo_until]]),
	]);
}

/** Describes in a sentence how a move went. */
export function describeEnd(reindex: Reindex): string {
	const { status, from, passages, undo_until } = reindex;
	if (status === "completed")
		return `Moved ${count(passages.total, "passage")}: they are found by ${describeSpace(from)}. "--undo" moves back until ${undo_until}.\n`;
	if (status === "running")
		return 'The move runs in the background; "stemma kb reindex --status" shows how far it is.\n';
	return formatReindex(reindex);
}

const toNumber = (value: number): string => value.toLocaleString("en-US");

function describeSpace(space: Reindex["to"]): string {
	if (space === null) return "words alone";
	const { model, vendor_host: host, dimensions } = space;
	const size = dimensions === undefined ? "" : ` (${dimensions} dimensions)`;
	return `words, and vectors of ${sanitizeLine(model)}${host === "" ? "" : ` at ${sanitizeLine(host)}`}${size}`;
}
