import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createSearchPriority } from "./search-priority";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

it("lets work go on at once when nobody searches", async () => {
	await createSearchPriority().whenNoSearches();
});

it("holds work back until the last search has ended, also when it failed", async () => {
	const traffic = createSearchPriority();
	const ends: (() => void)[] = [];
	const searches = [1, 2].map((number) =>
		traffic.track(() => new Promise<void>((resolve, reject) => ends.push(number === 1 ? resolve : reject))),
	);
	const done = vi.fn();
	const waiting = traffic.whenNoSearches().then(done);
	ends[0]?.();
	await searches[0];
	expect(done).not.toHaveBeenCalled();
	ends[1]?.();
	await expect(searches[1]).rejects.toBeUndefined();
	await waiting;
});

it("holds no work back for long", async () => {
	const traffic = createSearchPriority();
	void traffic.track(() => new Promise(() => undefined));
	const waiting = traffic.whenNoSearches();
	await vi.advanceTimersByTimeAsync(25);
	await waiting;
});

it("holds upkeep back until nobody has searched for a moment, and not for long", async () => {
	const traffic = createSearchPriority();
	await traffic.whenNoRecentSearches();
	await traffic.track(async () => undefined);
	const done = vi.fn();
	const waiting = traffic.whenNoRecentSearches().then(done);
	await vi.advanceTimersByTimeAsync(25);
	expect(done).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(75);
	expect(done).toHaveBeenCalled();
	await waiting;
	void traffic.track(() => new Promise(() => undefined));
	const held = traffic.whenNoRecentSearches();
	await vi.advanceTimersByTimeAsync(2_050);
	await held;
});
