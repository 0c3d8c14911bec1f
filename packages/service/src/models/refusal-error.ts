import { type ModelPreference, type Refusal, toRefusalHint } from "@stemma/routing";
import { DomainError } from "../errors/domain-error";

/** A refusal as the API tells it: no mistake of the request's form, but for what a caller may never do. */
export const toRefusalError = (refusal: Refusal, choice: ModelPreference | undefined): DomainError =>
	new DomainError(refusal.code, refusal.reason, {
		hint: toRefusalHint(refusal),
		param: choice === undefined ? undefined : "model",
	});
