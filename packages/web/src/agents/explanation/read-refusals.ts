import type { RunError } from "@stemma/core";

/** Reads why nodes have no model from the details of an error of the service. */
export function readRefusals(details: unknown): readonly RunError[] {
	const { refusals } = Object(details);
	return Array.isArray(refusals) ? refusals.flatMap(toRunError) : [];
}

function toRunError(json: unknown): readonly RunError[] {
	const { node, code, message, hint } = Object(json);
	if (typeof code !== "string" || typeof message !== "string") return [];
	const named = typeof node === "string" ? `${node}: ${message}` : message;
	return [{ code, message: named, ...(typeof hint === "string" && { hint }) }];
}
