import { isErrorOf, StemmaError } from "@stemma/core/errors";

/** Failure of a sync: the report shows why, and what to do. */
export class SourceError extends StemmaError {
	static override get stemmaName(): string {
		return "SourceError";
	}

	static override is(error: unknown): error is SourceError {
		return isErrorOf(error, SourceError);
	}
}
