import type { Cost } from "@stemma/core";

/** Amounts, such as `0.0035 EUR`; several currencies are not added up. */
export const formatCosts = (costs: readonly Cost[]): string =>
	costs.map(({ amount, currency }) => `${amount} ${currency}`).join(" + ");
