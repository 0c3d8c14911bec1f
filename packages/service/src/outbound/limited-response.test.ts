import { Response as UndiciResponse } from "undici";
import { expect, it, vi } from "vitest";
import { createCallTimer } from "./call-timer";
import { toLimitedResponse } from "./limited-response";

const limit = (body: ConstructorParameters<typeof UndiciResponse>[0], maxBytes = 10) => {
	const onEnd = vi.fn();
	return { onEnd, response: toLimitedResponse(new UndiciResponse(body), { maxBytes, onEnd }) };
};

it("tells when an answer has ended", async () => {
	const { onEnd, response } = limit("hello");
	expect(onEnd).not.toHaveBeenCalled();
	expect(await response.text()).toBe("hello");
	expect(onEnd).toHaveBeenCalledOnce();
});

it("tells when there is nothing to read", () => {
	expect(limit(null).onEnd).toHaveBeenCalledOnce();
});

it("tells when an answer is too long", async () => {
	const { onEnd, response } = limit("hello", 4);
	await expect(response.text()).rejects.toMatchObject({ code: "response_too_large" });
	expect(onEnd).toHaveBeenCalledOnce();
});

it("tells when nobody reads on", async () => {
	const { onEnd, response } = limit("hello");
	await response.body?.cancel();
	expect(onEnd).toHaveBeenCalledOnce();
});

it("leaves what is no answer", () => {
	const [onEnd, cancel] = [vi.fn(), vi.fn()];
	const strange = new UndiciResponse(new ReadableStream({ cancel }));
	Object.defineProperty(strange, "status", { value: 999 });
	expect(() => toLimitedResponse(strange, { maxBytes: 10, onEnd })).toThrow("valid HTTP response");
	expect([onEnd.mock.calls.length, cancel.mock.calls.length]).toEqual([1, 1]);
});

it("counts time until the call has ended", () => {
	vi.useFakeTimers();
	try {
		const [running, ended] = [createCallTimer(1000, undefined), createCallTimer(1000, undefined)];
		ended.end();
		vi.advanceTimersByTime(1000);
		expect([running.signal.aborted, ended.signal.aborted]).toEqual([true, false]);
	} finally {
		vi.useRealTimers();
	}
});
