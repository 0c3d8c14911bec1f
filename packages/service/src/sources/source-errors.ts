import { quote } from "@stemma/core/internal";
import { DomainError } from "../errors/domain-error";

/** Error of a source that does not exist. */
export const sourceNotFound = (id: string): DomainError =>
	new DomainError("source_not_found", `There is no source ${quote(id)} in this knowledge base.`, {
		hint: "List its sources with GET /v1/knowledge-bases/<id>/sources.",
	});

export const tooManySources = (max: number): DomainError =>
	new DomainError("too_many_sources", `A knowledge base can have at most ${max} sources.`, {
		hint: "Delete those that are not needed, or bring several together: a site, a folder with patterns.",
	});

export const sourceKindChanged = (kind: string): DomainError =>
	new DomainError("source_kind_changed", `The kind of a source stays: this one is "${kind}".`, {
		hint: "Create another source, and delete this one.",
		param: "settings.kind",
	});

export const syncNotRunning = (id: string): DomainError =>
	new DomainError("sync_not_running", `The source ${quote(id)} has no sync that is queued or running.`, {
		hint: "GET …/syncs lists its syncs.",
	});
