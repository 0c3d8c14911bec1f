import type { FakeRequest } from "./fake-request";
import type { FakeRun } from "./fake-run";

/** Runs by the idempotency keys that they were started with, so that a request that is sent again starts none. */
export class KeyedRuns {
	readonly #runs = new Map<string, { readonly run: FakeRun; readonly body: string }>();

	/** The run that the same request has started; `conflict` where the key came with another body. */
	find(request: FakeRequest): FakeRun | "conflict" | undefined {
		const existing = this.#runs.get(toKey(request));
		if (existing === undefined) return undefined;
		return existing.body === toCanonicalJson(request.call.body) ? existing.run : "conflict";
	}

	add(request: FakeRequest, run: FakeRun): void {
		if (request.idempotencyKey === undefined) return;
		this.#runs.set(toKey(request), { run, body: toCanonicalJson(request.call.body) });
	}
}

const toKey = ({ call, idempotencyKey }: FakeRequest): string => `${call.path} ${idempotencyKey}`;

/** Serializes a value so that equal JSON gives equal text, whatever the order of its fields. */
export const toCanonicalJson = (value: unknown): string =>
	JSON.stringify(value, (_, part: unknown) =>
		typeof part === "object" && part !== null && !Array.isArray(part)
			? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
			: part,
	);
