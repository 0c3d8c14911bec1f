import { quote } from "@stemma/core/internal";
import type { Caller } from "../auth/caller";
import { DomainError } from "../errors/domain-error";

/**
 * Asserts that a caller may read knowledge bases. Keys store ids, so that a knowledge base which gets the slug of another
 * one later is none of theirs.
 *
 * @param ids - a slug is no id, and is denied.
 * @param names - names that the caller gave for them, in the same order: errors show nothing else. Default: the ids.
 * @throws DomainError `knowledge_base_not_found`: for a client key, those that it may not read do not exist.
 */
export function assertAllowedKnowledgeBases(
	caller: Caller,
	ids: readonly string[],
	names: readonly string[] = ids,
): void {
	if (caller.kind !== "client_key" || caller.knowledgeBaseIds === null) return;
	const allowed = caller.knowledgeBaseIds;
	const denied = names.find((_, index) => !allowed.includes(ids[index] ?? ""));
	if (denied === undefined) return;
	throw new DomainError("knowledge_base_not_found", `There is no knowledge base ${quote(denied)}.`, {
		param: "knowledge_base_ids",
	});
}

/** @throws DomainError `not_allowed_for_client_key` for a client key that was not made for models. */
export function assertMayCallModels(caller: Caller): void {
	if (caller.kind !== "client_key" || caller.models) return;
	throw new DomainError("not_allowed_for_client_key", "This client key may not call models.", {
		hint: "Create one with models: true, or run an agent.",
	});
}
