import { expect, it } from "vitest";
import { assertRoom } from "./assert-room";

const refused = (maximum: number) =>
	expect.objectContaining({ code: "too_many_threads", details: { maximum } });

it("leaves a client key a quarter of the threads, and others all", () => {
	assertRoom({ workspace: 9, owner: 2 }, "client_key", 10);
	expect(() => assertRoom({ workspace: 3, owner: 3 }, "client_key", 10)).toThrow(refused(3));
	assertRoom({ workspace: 9, owner: 9 }, "client", 10);
	for (const kind of ["client", "user", "client_key"] as const)
		expect(() => assertRoom({ workspace: 10, owner: 0 }, kind, 10)).toThrow(refused(10));
});
