import { expect, it } from "vitest";
import { assertThreadQuota } from "./assert-thread-quota";

const refused = (maximum: number) =>
	expect.objectContaining({ code: "too_many_threads", details: { maximum } });

it("leaves a client key a quarter of the threads, and others all", () => {
	assertThreadQuota({ workspace: 9, owner: 2 }, "client_key", 10);
	expect(() => assertThreadQuota({ workspace: 3, owner: 3 }, "client_key", 10)).toThrow(refused(3));
	assertThreadQuota({ workspace: 9, owner: 9 }, "client", 10);
	for (const kind of ["client", "user", "client_key"] as const)
		expect(() => assertThreadQuota({ workspace: 10, owner: 0 }, kind, 10)).toThrow(refused(10));
});
