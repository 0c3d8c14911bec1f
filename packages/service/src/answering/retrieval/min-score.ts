import { DomainError } from "../../errors/domain-error";

/** Error of a minimum score where no model scores passages. */
export const minScoreUnavailableError = (): DomainError =>
	new DomainError("min_score_unavailable", "A minimum score needs a scoring stage, and none runs here.", {
		hint: "Passages are ranked by words, which gives no relevance between 0 and 1. Leave it out, or lower top_k; with a reranker or a model of one's own there are scores.",
	});
