import type { RequestScope } from "../request-scope";
import { createRunToken } from "../runs/run-token";
import type { ResponderReply } from "./reply";

/** Adds to a reply what is made anew whenever it is sent, and never stored: addresses of documents, the token of its run. */
export function presentReply(
	{ answer, ...reply }: ResponderReply,
	{ caller, kernel, documentLinks }: Pick<RequestScope, "caller" | "kernel" | "documentLinks">,
): ResponderReply {
	if (answer === undefined) return reply;
	const { run_id } = answer.fields;
	const run_token =
		caller.kind === "client_key" && typeof run_id === "string"
			? createRunToken(run_id, kernel.fingerprint)
			: undefined;
	const fields = run_token === undefined ? answer.fields : { ...answer.fields, run_token };
	return { ...reply, answer: documentLinks.linkCitations({ ...answer, fields }) };
}
