import type { RunShareField, SharedCitation, SharedRun, SharedRunStep } from "@stemma/client";
import type { Citation, Json, RunResult } from "@stemma/core";
import { toPublicRunError } from "@stemma/core/internal";
import type { StoredRun } from "../runs/stored-run";
import { MAX_SHARED_STEPS } from "./share-limits";

/** Parts of a run that were read for a link. */
export interface SharedRunParts {
	readonly run: StoredRun;
	readonly fields: readonly RunShareField[];
	readonly expiresAt: number;
	readonly result: RunResult | undefined;
	readonly input: Json | undefined;
	readonly steps: readonly SharedRunStep[];
}

/** Writes what a link shows of a run: each part by its field, and nothing that is not named here. */
export function toSharedRun({ run, fields, expiresAt, result, input, steps }: SharedRunParts): SharedRun {
	const has = (field: RunShareField): boolean => fields.includes(field);
	return {
		status: toEndStatus(run.status),
		created_at: new Date(run.created_at).toISOString(),
		ended_at: run.ended_at === null ? null : new Date(run.ended_at).toISOString(),
		expires_at: new Date(expiresAt).toISOString(),
		fields,
		...(has("input") && input !== undefined && { input }),
		...(has("output") && result !== undefined && toSharedOutput(result, has("links"))),
		...(has("steps") && {
			steps: steps.slice(0, MAX_SHARED_STEPS),
			...(steps.length > MAX_SHARED_STEPS && { steps_truncated: true }),
		}),
		...(has("receipt") && { receipt: result?.receipt ?? [] }),
	};
}

function toSharedOutput(
	{ output, citations, error, run_id }: RunResult,
	hasLinks: boolean,
): Partial<SharedRun> {
	if (error === undefined)
		return { output, citations: citations.map((citation) => toSharedCitation(citation, hasLinks)) };
	const { code, message } = toPublicRunError(error, run_id);
	return { output, citations: [], error: { code, message } };
}

const toSharedCitation = ({ n, title, text, support, url }: Citation, hasLinks: boolean): SharedCitation => ({
	...{ n, title, text, support },
	...(hasLinks && url !== undefined && { url }),
});

/** Runs that are shared have ended. */
const toEndStatus = (status: StoredRun["status"]): SharedRun["status"] =>
	status === "completed" || status === "failed" ? status : "cancelled";
