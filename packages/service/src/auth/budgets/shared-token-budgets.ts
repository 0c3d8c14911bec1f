import { clock } from "@stemma/core/internal";
import type { TokenBudgetRepository } from "./token-budget-repository";
import { budgetExhausted, type TokenBudgets, toBudgetDay } from "./token-budgets";

/**
 * Creates token budgets that several instances share: each reservation and each settlement is a statement of its own. Where
 * the store fails, nothing is reserved, and no call is made. What an instance had reserved when it ended counts as used.
 */
export function createSharedTokenBudgets(
	repository: TokenBudgetRepository,
	onFailure: (error: unknown) => void,
	now: () => number = clock.now,
): TokenBudgets {
	const settling = new Set<Promise<void>>();
	return {
		async reserveTokens(caller, estimate) {
			if (caller.kind !== "client_key") return { estimate };
			const account = { clientKeyId: caller.id, day: toBudgetDay(now()) };
			if (!(await repository.reserve({ ...account, tokens: estimate }, caller.tokensPerDay)))
				throw budgetExhausted(caller, now());
			return { estimate, account };
		},
		async tokensLeft(caller) {
			if (caller.kind !== "client_key") return undefined;
			const tokens = await repository.readTokens(caller.id, toBudgetDay(now()));
			return Math.max(0, caller.tokensPerDay - tokens);
		},
		commitTokens({ estimate, account }, used) {
			if (account === undefined || used === estimate) return;
			const settled = repository.change({ ...account, tokens: used - estimate }).catch(onFailure);
			settling.add(settled);
			void settled.then(() => settling.delete(settled));
		},
		async flush() {
			await Promise.all(settling);
		},
	};
}
