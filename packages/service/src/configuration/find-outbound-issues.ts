import { findAllowProblem } from "../outbound/outbound-allow";
import type { InputIssue } from "../validation/check-input";
import type { Configuration } from "./configuration";

/** Entries of `outbound.allow` that open nothing. */
export const findOutboundIssues = ({ outbound }: Configuration): InputIssue[] =>
	outbound.allow.flatMap((entry, index) => {
		const found = findAllowProblem(entry);
		if (found === undefined) return [];
		const message = [found.problem, found.hint ?? ""].join(". ").replace(/\.?\s*$/, "");
		return [{ path: `outbound.allow[${index}]`, message, kind: "invalid" }];
	});
