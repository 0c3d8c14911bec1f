import { clock } from "@stemma/core/internal";
import { DomainError } from "../../errors/domain-error";
import type { Caller, ClientKeyCaller } from "../caller";
import type { TokenBudgetRepository } from "./token-budget-repository";

/** Tokens that a call may use, taken off the budget before it is made. */
export interface TokenReservation {
	readonly estimate: number;
	/** Account that the tokens are reserved from; left out for callers without a budget. */
	readonly account?: { readonly clientKeyId: string; readonly day: string };
}

/** The daily token budgets of client keys. */
export interface TokenBudgets {
	/**
	 * Reserves tokens before each call. Servers and people have no budget.
	 *
	 * @param estimate - the most that the call should use, in and out.
	 * @throws DomainError `budget_exhausted`.
	 */
	reserveTokens(caller: Caller, estimate: number): Promise<TokenReservation>;
	/** Returns what is left of today's budget; `undefined` for callers without one. */
	tokensLeft(caller: Caller): Promise<number | undefined>;
	/** Replaces the estimate by the tokens that the call used. Call it once after the call, also when it failed. */
	commitTokens(reservation: TokenReservation, used: number): void;
	/** Writes down what is not yet on the disk. */
	flush(): Promise<void>;
}

interface Account {
	readonly clientKeyId: string;
	readonly day: string;
	/** Used and reserved. */
	tokens: number;
	/** Tokens that are stored on the disk. */
	written: number;
}

const FLUSH_MS = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Counts in memory, and on the disk soon after: a crash forgets half a second, and keeps what was reserved. */
export function createTokenBudgets(
	repository: TokenBudgetRepository,
	onFailure: (error: unknown) => void,
	now: () => number = clock.now,
): TokenBudgets {
	const accounts = new Map<string, Promise<Account>>();
	let timer: NodeJS.Timeout | undefined;

	function getAccount(clientKeyId: string, day: string): Promise<Account> {
		const name = `${clientKeyId} ${day}`;
		const known = accounts.get(name) ?? readAccount(repository, clientKeyId, day);
		accounts.set(name, known);
		known.catch(() => accounts.delete(name));
		return known;
	}
	function change(account: Account, tokens: number): void {
		account.tokens = Math.max(0, account.tokens + tokens);
		timer ??= setTimeout(() => flush().catch(onFailure), FLUSH_MS).unref();
	}
	async function flush(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		const today = toBudgetDay(now());
		// One that cannot be written holds up no other.
		const outcomes = await Promise.allSettled(
			[...accounts].map(([name, opening]) => flushAccount(name, opening, today)),
		);
		const failed = outcomes.find(({ status }) => status === "rejected");
		if (failed?.status === "rejected") throw failed.reason;
	}
	async function flushAccount(name: string, opening: Promise<Account>, today: string): Promise<void> {
		const account = await opening;
		await writeAccount(repository, account);
		if (account.day < today && account.tokens === account.written) accounts.delete(name);
	}

	return {
		async reserveTokens(caller, estimate) {
			if (caller.kind !== "client_key") return { estimate };
			const day = toBudgetDay(now());
			const account = await getAccount(caller.id, day);
			if (account.tokens + estimate > caller.tokensPerDay) throw budgetExhausted(caller, now());
			change(account, estimate);
			return { estimate, account: { clientKeyId: caller.id, day } };
		},
		async tokensLeft(caller) {
			if (caller.kind !== "client_key") return undefined;
			const { tokens } = await getAccount(caller.id, toBudgetDay(now()));
			return Math.max(0, caller.tokensPerDay - tokens);
		},
		commitTokens({ estimate, account }, used) {
			if (account === undefined) return;
			getAccount(account.clientKeyId, account.day)
				.then((found) => change(found, used - estimate))
				.catch(onFailure);
		},
		flush,
	};
}

async function readAccount(
	repository: TokenBudgetRepository,
	clientKeyId: string,
	day: string,
): Promise<Account> {
	const tokens = await repository.readTokens(clientKeyId, day);
	return { clientKeyId, day, tokens, written: tokens };
}

async function writeAccount(repository: TokenBudgetRepository, account: Account): Promise<void> {
	const { clientKeyId, day, tokens } = account;
	if (tokens === account.written) return;
	await repository.replace({ clientKeyId, day, tokens });
	account.written = tokens;
}

/** Formats the day of a time, UTC: `2026-01-31`. */
export const toBudgetDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Refusal of a call that the budget of its client key does not cover. @param time - epoch milliseconds. */
export function budgetExhausted(caller: ClientKeyCaller, time: number): DomainError {
	const amount = caller.tokensPerDay.toLocaleString("en");
	return new DomainError(
		"budget_exhausted",
		`This client key may use ${amount} tokens a day; too few are left.`,
		{
			hint: "A new day starts at midnight UTC. The owner of the key can create one with a larger tokens_per_day.",
			details: { tokens_per_day: caller.tokensPerDay },
			retryAfterSeconds: (DAY_MS - (time % DAY_MS)) / 1000,
		},
	);
}
