import { expect, it } from "vitest";
import { singleFlight } from "./single-flight";

function useCalls() {
	const calls: { readonly signal: AbortSignal; end(value: string): void }[] = [];
	const ask = singleFlight(
		(signal) =>
			new Promise<string>((resolve, reject) => {
				calls.push({ signal, end: resolve });
				signal.addEventListener("abort", () => reject(signal.reason));
			}),
	);
	return { calls, ask };
}

it("shares one call among those who ask meanwhile, and begins another after it", async () => {
	const { calls, ask } = useCalls();
	const { signal } = new AbortController();
	const results = [ask(signal), ask(signal)];
	calls[0]?.end("one");
	expect(await Promise.all(results)).toEqual(["one", "one"]);
	const next = ask(signal);
	calls[1]?.end("two");
	expect(await next).toBe("two");
	expect(calls).toHaveLength(2);
});

it("goes on for those who still wait, and ends with the last of them", async () => {
	const { calls, ask } = useCalls();
	const [first, second, third] = [1, 2, 3].map(() => new AbortController());
	const one = ask((first as AbortController).signal);
	const two = ask((second as AbortController).signal);
	first?.abort(new Error("gone"));
	await expect(one).rejects.toThrow("gone");
	expect(calls[0]?.signal.aborted).toBe(false);
	second?.abort(new Error("gone, too"));
	await expect(two).rejects.toThrow("gone, too");
	expect(calls[0]?.signal.aborted).toBe(true);
	const three = ask((third as AbortController).signal);
	calls[1]?.end("anew");
	expect(await three).toBe("anew");
	await expect(ask(AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
	expect(calls).toHaveLength(2);
});

it("starts the call with the request of the first caller", async () => {
	const requests: string[] = [];
	const ask = singleFlight(async (_signal: AbortSignal, request: string) => {
		requests.push(request);
		return `of ${request}`;
	});
	const { signal } = new AbortController();
	expect(await Promise.all([ask(signal, "a"), ask(signal, "b")])).toEqual(["of a", "of a"]);
	expect(requests).toEqual(["a"]);
});
