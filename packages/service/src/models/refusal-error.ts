import { type ModelPreference, type Refusal, toRefusalHint } from "@stemma/routing";
import { ApiError } from "../http/api-error";

/** A refusal as the API tells it: no mistake of the request's form, but for what a caller may never do. */
export const toRefusalError = (refusal: Refusal, choice: ModelPreference | undefined): ApiError =>
	new ApiError(refusal.code === "model_choice_not_allowed" ? 403 : 422, refusal.code, refusal.reason, {
		hint: toRefusalHint(refusal),
		param: choice === undefined ? undefined : "model",
	});
