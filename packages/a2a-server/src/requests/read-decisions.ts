import type { A2aPart } from "@stemma/client/a2a";
import { isJsonObject } from "@stemma/core/internal";
import { invalidParam } from "../a2a-server-error";
import type { TaskDecision } from "../task-store";

const FIELDS = ["approval_id", "decision", "reason"];
const MAX_ID_LENGTH = 256;
const MAX_REASON_LENGTH = 1000;

/**
 * Decisions on approvals in a message: data parts `{approval_id, decision: "approve" | "deny", reason?}`, one for each
 * approval. Parts of any other shape are no decisions.
 *
 * @throws A2aServerError `INVALID_PARAMS` for a decision with a missing, unknown or bad field, and for two on one approval.
 */
export function readDecisions(parts: readonly A2aPart[]): readonly TaskDecision[] {
	const decisions = parts.flatMap(({ data }, index) =>
		isDecision(data) ? [readDecision(data, `message.parts[${index}].data`)] : [],
	);
	if (new Set(decisions.map(({ approval_id }) => approval_id)).size < decisions.length)
		throw invalidParam("message.parts", "Expected at most one decision for each approval.");
	return decisions;
}

type Fields = Readonly<Record<string, unknown>>;

const isDecision = (data: unknown): data is Fields =>
	isJsonObject(data) && (Object.hasOwn(data, "approval_id") || Object.hasOwn(data, "decision"));

function readDecision(data: Fields, path: string): TaskDecision {
	const { approval_id, decision, reason } = data;
	const unknown = Object.keys(data).find((name) => !FIELDS.includes(name));
	if (unknown !== undefined)
		throw invalidParam(
			path,
			`Unknown field ${JSON.stringify(unknown.slice(0, 80))}: a decision has ${FIELDS.join(", ")}.`,
		);
	if (typeof approval_id !== "string" || approval_id === "" || approval_id.length > MAX_ID_LENGTH)
		throw invalidParam(
			`${path}.approval_id`,
			"Expected the id of an approval, as the status message lists it.",
		);
	if (decision !== "approve" && decision !== "deny")
		throw invalidParam(`${path}.decision`, 'Expected "approve" or "deny".');
	if (reason === undefined) return { approval_id, decision };
	if (typeof reason !== "string" || reason.length > MAX_REASON_LENGTH)
		throw invalidParam(`${path}.reason`, `Expected text of at most ${MAX_REASON_LENGTH} characters.`);
	return { approval_id, decision, reason };
}
