import { expect, test } from "vitest";
import { createRequestSlots } from "./request-slots";

const client = { id: "cl_1", kind: "client" } as const;
const key = { id: "ck_1", kind: "client_key" } as const;

test("refuses what is beyond the limit of the workspace until one ends", () => {
	const slots = createRequestSlots(2);
	slots.assertFree(client);
	const leave = slots.enter(client);
	slots.enter(key);
	expect(() => slots.assertFree(client)).toThrow(expect.objectContaining({ code: "too_many_requests" }));
	leave();
	leave();
	expect(slots.size).toBe(1);
	slots.assertFree(client);
});

test("one client key gets half, so that it locks nobody out", () => {
	const slots = createRequestSlots(4);
	const leave = slots.enter(key);
	slots.enter(key);
	expect(() => slots.assertFree(key)).toThrow(
		expect.objectContaining({ code: "too_many_requests", retryAfterSeconds: 1 }),
	);
	slots.assertFree({ ...key, id: "ck_2" });
	slots.assertFree(client);
	leave();
	slots.assertFree(key);
});
